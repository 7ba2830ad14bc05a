import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** The largest file that is judged, in bytes. Larger ones are bundles or data. */
export const LARGEST_FILE = 2 * 1024 * 1024;

/** The text of a file, or the reason why there is none. */
export type SourceText = { readonly text: string } | { readonly reason: string } | 'gone';

/** Reads a source file as UTF-8 without its byte order mark. `gone`: listed by git but deleted from the work tree. */
export function readSource(path: string): SourceText {
  try {
    const { size } = statSync(path);
    return size > LARGEST_FILE ? tooLarge(size) : sourceOf(readFileSync(path));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'gone' : { reason: `cannot be read (${code})` };
  }
}

/** The text that bytes stand for, or the reason why they stand for none. */
export function sourceOf(bytes: Uint8Array): { readonly text: string } | { readonly reason: string } {
  if (bytes.length > LARGEST_FILE) return tooLarge(bytes.length);
  if (!isUtf8(bytes)) return { reason: 'not UTF-8 text' };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text };
}

function tooLarge(size: number): { readonly reason: string } {
  return { reason: `larger than 2 MB (${(size / 1024 / 1024).toFixed(1)} MB)` };
}
