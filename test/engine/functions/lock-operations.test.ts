import { describe, expect, it } from 'vitest';
import { lockOperations } from '../../../src/engine/functions/lock-operations.js';
import type { Operation, TtlGiven } from '../../../src/engine/operations/operation.js';
import { showValue } from '../../../src/engine/operations/value.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { REDIS, unitOf } from './hand-made.js';

/** The operations by body of the first file, each as one line. */
function read(files: Readonly<Record<string, string>>): string[] {
  return lockOperations(unitOf(files)).filter((o) => o.evidence === 'body').map(show);
}

function show(o: Operation): string {
  const key = `${o.kind} ${showTerm(o.key)}`;
  if (o.kind === 'acquire') {
    const { won, lost, throwsWhenLost } = o.result;
    const answer = o.result.label === 'unknown' ? 'unknown' : `${won.map(showValue).join('|')} / ${lost.map(showValue).join('|')}${throwsWhenLost ? ' throws' : ''}`;
    return `${key} ${o.link} ${o.scope}; owner ${o.owner === undefined ? 'none' : showTerm(o.owner)}; ${ttl(o.ttl)}; ${answer}`;
  }
  if (o.kind === 'release') return `${key} ${o.link} ${o.ownerCheck} ${o.ownerSlot}${o.owner === undefined ? '' : ` ${showTerm(o.owner)}`} ${o.ifNotHeld}`;
  return o.kind === 'extend' ? `${key} ${o.ownerCheck} ${o.ownerSlot} ${ttl(o.ttl)}` : key;
}

function ttl(given: TtlGiven): string {
  return given.kind === 'given' ? `${showTerm(given.ttl.term)} ${given.ttl.unit}` : given.kind;
}

const TAKE = `async function take(id: string, owner: string, ttlMs: number) { return (await redis.set(\`lock:\${id}\`, owner, 'PX', ttlMs, 'NX')) === 'OK'; }
async function free(id: string, owner: string) { await redis.eval(FREE, 1, \`lock:\${id}\`, owner); }
async function renew(id: string, owner: string, ttlMs: number) { return (await redis.eval(RENEW, 1, \`lock:\${id}\`, owner, ttlMs)) === 1; }`;
const TOKEN = `async function acquireToken(key: string) { const token = randomUUID(); const ok = await redis.set(key, token, 'EX', 30, 'NX'); if (ok !== 'OK') return null; return token; }`;
const CLOSURE = `async function acquireLock(key: string) {
  const token = randomUUID();
  if ((await redis.set(key, token, 'EX', 30, 'NX')) !== 'OK') throw new Error('busy');
  return async () => { await redis.eval(FREE, 1, key, token); };
}`;
const SCOPED = `async function guarded<T>(key: string, work: () => Promise<T>) {
  const token = randomUUID();
  if (!(await redis.set(key, token, 'EX', 30, 'NX'))) return undefined;
  try { return await work(); } finally { await redis.eval(FREE, 1, key, token); }
}`;

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['boolean, release and extend by parameters', `${TAKE} async function f(job: string) { if (!(await take(job, me, 5000))) return; await renew(job, me, 5000); await free(job, me); }`, [
    'acquire `lock:${job}` key manual; owner me; 5000 ms; true / false', 'extend `lock:${job}` atomic given 5000 ms', 'release `lock:${job}` key atomic given me harmless',
  ]],
  ['token or null: the answer is the owner', `${TOKEN} async function f(job: string) { const t = await acquireToken('lock:' + job); return t; }`,
    ['acquire `lock:${job}` key manual; owner acquireToken(`lock:${job}`); 30 s; ! / null']],
  ['release closure', `${CLOSURE} async function f() { const done = await acquireLock('lock:a'); try { work(); } finally { await done(); } }`,
    ['acquire \'lock:a\' handle manual; owner randomUUID(); 30 s; ! /  throws', 'release \'lock:a\' handle atomic none harmless']],
  ['handle object and destructuring', `${CLOSURE.replace('return async', 'const release = async').replace(/\}$/, 'return { key, release }; }')}
     async function f() { const h = await acquireLock('lock:a'); await h.release(); } async function g() { const { release } = await acquireLock('lock:b'); await release(); }`, [
    'acquire \'lock:a\' handle manual; owner randomUUID(); 30 s; {key:?,release:!} /  throws', 'release \'lock:a\' handle atomic none harmless',
    'acquire \'lock:b\' handle manual; owner randomUUID(); 30 s; {key:?,release:!} /  throws', 'release \'lock:b\' handle atomic none harmless',
  ]],
  ['tagged answer', `async function take(key: string) { const token = randomUUID(); if (await redis.set(key, token, 'EX', 9, 'NX')) return { ok: true, token }; return { ok: false }; }
     async function f() { const { ok, token } = await take('lock:a'); }`, ['acquire \'lock:a\' key manual; owner take(\'lock:a\').token; 9 s; {ok:true,token:?} / {ok:false}']],
  ['callback', `${SCOPED} async function f(id: string) { await guarded('lock:' + id, async () => { await work(id); }); }`, ['acquire `lock:${id}` key callback; owner randomUUID(); 30 s; unknown']],
  ['callback in an options object', `${SCOPED.replace('key: string, work: () => Promise<T>', '{ key, work }: { key: string; work: () => Promise<T> }')} guarded({ key: 'lock:a', work: async () => {} });`,
    ['acquire \'lock:a\' key callback; owner randomUUID(); 30 s; unknown']],
  ['wrapper of a wrapper', `${TOKEN} const lockRun = (run: string) => acquireToken(\`run:\${run}\`); async function f(id: string) { const t = await lockRun(id); return t; }`,
    [`acquire \`run:\${run}\` key manual; owner acquireToken(\`run:\${run}\`); 30 s; ! / null`, 'acquire `run:${id}` key manual; owner lockRun(id); 30 s; ! / null']],
  ['method on a field', `class Locks { async grab(key: string) { return (await redis.set(key, 'x', 'EX', 9, 'NX')) === 'OK'; } async drop(key: string) { await redis.del(key); } }
     class Job { constructor(private readonly locks: Locks) {} async run(id: string) { if (await this.locks.grab('lock:' + id)) await this.locks.drop('lock:' + id); } }`,
    ['acquire `lock:${id}` key manual; owner \'x\'; 9 s; true / false', 'release `lock:${id}` key none none deletes-other']],
  ['default and missing arguments', `async function take(id: string, ttlMs = 7000) { return Boolean(await redis.set('lock:' + id, me, 'PX', ttlMs, 'NX')); } take('a'); take('b', 5);`,
    ['acquire \'lock:a\' key manual; owner me; 7000 ms; true / false', 'acquire \'lock:b\' key manual; owner me; 5 ms; true / false']],
  ['guarded release is not always one', `async function drop(id: string) { if (!ready) return; await redis.del('lock:' + id); } drop('a');`, ['release \'lock:a\' key none none unknown']],
  ['no TTL is told in the wrapper', `async function take(id: string) { return Boolean(await redis.set('lock:' + id, me, 'NX')); } take('a');`, ['acquire \'lock:a\' key manual; owner me; open; true / false']],
  ['work that frees is no wrapper', `async function run(id: string) { if (!(await redis.set('lock:' + id, me, 'EX', 9, 'NX'))) return; await go(); await redis.del('lock:' + id); } run('a');`, []],
  ['marks its own work as done', `async function handle(id: string) { if (!(await redis.set('seen:' + id, '1', 'EX', 9, 'NX'))) return; await go(id); } handle('a');`, []],
  ['key of its own making', `async function take() { let k = 'lock'; k += rnd(); return Boolean(await redis.set(k, me, 'EX', 9, 'NX')); } take();`, []],
  ['reassigned parameter', `async function take(k: string) { k = norm(k); return Boolean(await redis.set(k, me, 'EX', 9, 'NX')); } take('a');`, []],
  ['spread arguments', `${TAKE} take(...args);`, []],
  ['work without the lock too', `async function guarded(key: string, work: () => Promise<void>) { if (await redis.set(key, me, 'EX', 9, 'NX')) { await work(); await redis.del(key); } else await work(); } guarded('lock:a', async () => {});`, []],
  ['recursion ends', `async function take(key: string, n: number): Promise<boolean> { if (await redis.set(key, me, 'EX', 9, 'NX')) return true; return n > 0 ? take(key, n - 1) : false; } take('lock:a', 3);`,
    ['acquire key key manual; owner me; 9 s; unknown', 'acquire \'lock:a\' key manual; owner me; 9 s; unknown']],
  ['without a store there is nothing to refuse', `async function acquireSlot(key: string) { if (!enabled) return 'off'; const token = randomUUID(); return (await redis.set(key, token, 'EX', 9, 'NX')) ? token : null; } acquireSlot('lock:a');`,
    ['acquire \'lock:a\' key manual; owner none; 9 s; ! / null']],
  ['fails open in the same words', `async function take(key: string) { if (!enabled) return { status: 'acquired' }; const token = randomUUID(); return (await redis.set(key, token, 'EX', 9, 'NX')) ? { status: 'acquired', token } : { status: 'busy' }; } take('lock:a');`,
    ['acquire \'lock:a\' key manual; owner none; 9 s; {status:\'acquired\',token:?} / {status:\'busy\'}']],
  ['the holder may be the caller', `async function claimLock(key: string) { return redis.set(key, me, 'EX', 9, 'NX', 'GET'); } claimLock('lock:a');`, ['acquire \'lock:a\' key manual; owner me; 9 s; unknown']],
  ['retries, then throws', `async function take(key: string) { for (let i = 0; i < 3; i++) { if (await redis.set(key, me, 'EX', 9, 'NX')) return; await sleep(9); } throw new Error('busy'); } take('lock:a');`,
    ['acquire \'lock:a\' key manual; owner me; 9 s; undefined /  throws']],
];

describe('calls of functions as lock operations', () => {
  for (const [name, text, expected] of cases) it(name, () => expect(read({ 'a.ts': `${REDIS}${text}` })).toEqual(expected));

  it('follows imports and re-exports', () => {
    const files = {
      'a.ts': `import { acquireToken as grab } from './index'; async function f(id: string) { const t = await grab(\`lock:\${id}\`); return t; }`,
      'index.ts': `export * from './owned-lock';`,
      'owned-lock.ts': `${REDIS} export ${TOKEN}`,
    };
    expect(read(files)).toEqual(['acquire `lock:${id}` key manual; owner grab(`lock:${id}`); 30 s; ! / null']);
  });

  it('does not follow names that say nothing of locks', () => {
    expect(read({ 'a.ts': `import { start } from './jobs'; start('a');`, 'jobs.ts': `${REDIS} export ${TOKEN.replace('acquireToken', 'start')}` })).toEqual([]);
  });
});
