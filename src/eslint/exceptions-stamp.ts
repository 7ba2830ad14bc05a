import { readFileSync, statSync } from 'node:fs';
import { digestOf } from '../audit/digest.js';
import { findExceptions } from '../exceptions/find-exceptions.js';

/** Which exceptions file holds for a folder, and what stands in it; empty where there is none. */
export function exceptionsStamp(cwd: string): string {
  const path = findExceptions(cwd);
  if (path === undefined) return '';
  const { mtimeMs, size } = statSync(path);
  const seen = `${String(mtimeMs)} ${String(size)}`;
  let known = read.get(path);
  if (known?.seen !== seen) {
    known = { seen, stamp: `${path} ${digestOf(readFileSync(path))}` };
    read.set(path, known);
  }
  return known.stamp;
}

/** By path of the file, as in `exceptions.ts`. */
const read = new Map<string, { readonly seen: string; readonly stamp: string }>();
