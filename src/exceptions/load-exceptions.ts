import { readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { ConfigMistake } from '../config/config-mistake.js';
import { schemaMistake } from '../config/schema-mistake.js';
import type { DeclaredException } from './declared.js';
import { entryLines } from './entry-lines.js';
import { EXCEPTIONS_FILE } from './find-exceptions.js';
import { exceptionsSchema, type ExceptionEntry } from './schema.js';

/**
 * The exceptions of a file, in its order.
 * @throws {ConfigMistake} for a file that cannot be read, and for the first mistake in its shape.
 */
export function loadExceptions(path: string): DeclaredException[] {
  return readExceptions(textOf(path), path.split(sep).join('/'));
}

/**
 * Reads the text of an exceptions file.
 * @param file Its path, absolute, with `/`.
 */
export function readExceptions(text: string, file: string): DeclaredException[] {
  const value = parsed(text);
  const read = exceptionsSchema.safeParse(value);
  if (!read.success) throw new ConfigMistake(schemaMistake(read.error.issues, { value, from: EXCEPTIONS_FILE, schema: exceptionsSchema }), 'docs/exceptions.md shows what an entry says.');
  const lines = entryLines(text);
  const folder = file.slice(0, file.lastIndexOf('/')) || '/';
  return read.data.exceptions.map((entry, at): DeclaredException => ({ ...said(entry), source: 'file', file, line: lines[at] ?? 1, covers: coverage(entry, folder) }));
}

function said({ rule, owner, expires, reason }: ExceptionEntry): Pick<DeclaredException, 'rule' | 'owner' | 'expires' | 'reason'> {
  return {
    rule: rule.replace(/^step-lock\//, ''),
    ...(owner === undefined ? {} : { owner }), ...(expires === undefined ? {} : { expires }), ...(reason === undefined ? {} : { reason }),
  };
}

function coverage(entry: ExceptionEntry, folder: string): DeclaredException['covers'] {
  if (entry.fingerprint !== undefined) return { kind: 'fingerprint', fingerprint: entry.fingerprint, ...(entry.file === undefined ? {} : { file: posix.join(folder, entry.file) }) };
  return { kind: 'files', folder, pattern: entry.file ?? '', ...(entry.function === undefined ? {} : { fn: entry.function }) };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new ConfigMistake(`${EXCEPTIONS_FILE} cannot be read (${why}).`, 'Make it a file that can be read, or take it away.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] ?? '' : String(error);
    throw new ConfigMistake(`${EXCEPTIONS_FILE} cannot be read: ${why.replace(/\.$/, '')}.`, 'Mend its JSON; comments are not part of it.');
  }
}
