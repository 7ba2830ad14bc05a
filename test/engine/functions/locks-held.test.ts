import { describe, expect, it } from 'vitest';
import { locksHeldAround } from '../../../src/engine/functions/locks-held.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { nodeAt, REDIS, unitOf } from './hand-made.js';

const LOCKS = `${REDIS}
async function take(id: string, owner: string) { return (await redis.set(\`lock:\${id}\`, owner, 'PX', 5000, 'NX')) === 'OK'; }
async function free(id: string, owner: string) { await redis.eval(FREE, 1, \`lock:\${id}\`, owner); }
async function guarded(id: string, work: () => Promise<void>) { if (!(await take(id, me))) return; try { await work(); } finally { await free(id, me); } }
`;

/** The locks around `write()`. */
function held(text: string): string[] {
  const unit = unitOf({ 'a.ts': `${LOCKS}${text}` });
  return locksHeldAround(unit, nodeAt(unit, 'write()')).map((l) => `${showTerm(l.key)} ${l.evidence}`);
}

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['between acquire and release', 'async function f(a: string) { if (!(await take(a, me))) return; try { await write(); } finally { await free(a, me); } }', ['`lock:${a}` body']],
  ['raw commands', "async function f() { if ((await redis.set('lock:b', me, 'EX', 9, 'NX')) !== 'OK') return; await write(); await redis.del('lock:b'); }", ['\'lock:b\' model']],
  ['after the release', 'async function f(a: string) { if (!(await take(a, me))) return; await free(a, me); await write(); }', []],
  ['before the acquire', 'async function f(a: string) { await write(); if (!(await take(a, me))) return; await free(a, me); }', []],
  ['the loser goes on too', 'async function f(a: string) { await take(a, me); await write(); await free(a, me); }', []],
  ['on one path only', 'async function f(a: string, hard: boolean) { if (hard) { if (!(await take(a, me))) return; } await write(); }', []],
  ['callback of a wrapper', 'async function f(a: string) { await guarded(a, async () => { await write(); }); }', ['`lock:${a}` body']],
  ['beside the callback', 'async function f(a: string) { await guarded(a, async () => {}); await write(); }', []],
  ['transaction under the lock', 'async function f(a: string) { if (!(await take(a, me))) return; await db.transaction(async (tx) => { await write(); }); await free(a, me); }', ['`lock:${a}` body']],
  ['each item under the lock', 'async function f(a: string) { if (!(await take(a, me))) return; await Promise.all(list.map(async (i) => { await write(); })); await free(a, me); }', ['`lock:${a}` body']],
  ['transaction that is not awaited', 'async function f(a: string) { if (!(await take(a, me))) return; try { return db.transaction(async (tx) => { await write(); }); } finally { await free(a, me); } }', []],
  ['timer', 'async function f(a: string) { if (!(await take(a, me))) return; setTimeout(() => { write(); }, 5); await free(a, me); }', []],
  ['returned transaction in a callback', 'async function f(a: string) { await guarded(a, () => db.transaction(async (tx) => { await write(); })); }', ['`lock:${a}` body']],
  ['no lock', 'async function f() { await write(); }', []],
];

describe('locks held around a place', () => {
  for (const [name, text, expected] of cases) it(name, () => expect(held(text)).toEqual(expected));
});
