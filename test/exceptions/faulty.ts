import ts from 'typescript';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';
import { fingerprints } from '../../src/review/fingerprint.js';

/** One fault, of `require-ttl`, on line 5. */
export const FAULTY = `declare const redis: any;
declare function work(): Promise<void>;
const COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
export async function nightly(owner: string): Promise<void> {
  const won = await redis.set('lock:nightly', owner, 'NX');
  if (won !== 'OK') return;
  try {
    await work();
  } finally {
    await redis.eval(COMPARE_AND_DELETE, 1, 'lock:nightly', owner).catch(() => undefined);
  }
}
`;

/** The fingerprint of the fault in a file. */
export function fingerprintIn(file: string): string {
  const source = ts.createSourceFile(file, FAULTY, ts.ScriptTarget.Latest, true);
  const found = reported(analyse([source], { ts, models: builtInModels, rules }).sites, rules, 'recommended');
  return fingerprints(found)[0] ?? '';
}

/** The text of an exceptions file. Owner, date and reason are filled in where an entry leaves them out; one that is `undefined` stays away. */
export function entry(...entries: readonly Readonly<Record<string, string | undefined>>[]): string {
  const exceptions = entries.map((e) => ({ owner: 'platform', expires: '2027-03-01', reason: 'single worker', ...e }));
  return `${JSON.stringify({ schemaVersion: 1, exceptions }, undefined, 2)}\n`;
}
