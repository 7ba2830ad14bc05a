import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { lockCall } from '../../../src/engine/operations/lock-call.js';
import type { Operation } from '../../../src/engine/operations/operation.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

/** All lock operations of a text in its order, each as one line. */
function read(text: string): string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const unit = createUnits(ts, NO_PROJECT).of(file);
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    ts.forEachChild(node, walk);
    const operation = ts.isCallExpression(node) ? lockCall(unit, node) : undefined;
    if (operation !== undefined) found.push(show(operation));
  };
  walk(file);
  return found;
}

function show(o: Operation): string {
  if (o.kind === 'acquire') return `acquire ${o.link} ${o.scope} ${o.evidence} ${o.result.label}; ttl ${o.ttl.kind}${o.hasOwnerSlot ? '; owner' : ''}`;
  if (o.kind === 'release') return `release ${o.link} ${o.evidence} ${o.ownerCheck} ${o.ownerSlot} ${o.ifNotHeld}`;
  return o.kind === 'extend' ? `extend ${o.link} ${o.evidence} ${o.ownerSlot} ${o.ttl.kind}` : o.kind;
}

const STEP_LOCK = `interface StepLock { acquire(stepId: string, owner: string, ttlMs: number): Promise<boolean>;
  release(stepId: string, owner: string): Promise<void>; extend(stepId: string, owner: string, ttlMs: number): Promise<boolean> } declare const l: StepLock;`;
const HELD = 'interface Held { free(): Promise<boolean>; extend(ttlMs: number): Promise<void> } declare const s: { tryLock(key: string, ttlMs: number): Promise<Held | null> };';
const BROKER = 'interface G { grantId: string } declare const b: { lock(key: string, o: { ttl: number }): Promise<G>; unlock(key: string, grantId?: string): Promise<boolean> };';
const REDLOCK = "import Redlock from 'redlock'; const r = new Redlock([]);";

const cases: readonly (readonly [string, string, readonly string[]])[] = [
  ['step lock', `${STEP_LOCK} l.acquire(id, me, 5000); l.extend(id, me, 1); l.release(id, me)`,
    ['acquire key manual declared boolean; ttl given; owner', 'extend key declared given given', 'release key declared contract given deletes-other']],
  ['step lock in a field', `${STEP_LOCK} class A { constructor(private l: StepLock) {} f() { return this.l.acquire('a', 'b', 1) } }`, ['acquire key manual declared boolean; ttl given; owner']],
  ['class', 'class Locks { acquire(key: string, owner: string): Promise<void> { return go() } release(key: string): Promise<void> { return go() } } const l = new Locks(); l.acquire("a", "b"); l.release("a")',
    ['acquire key manual declared void or throws; ttl open; owner', 'release key declared unknown none deletes-other']],
  ['handle or null', `${HELD} const h = await s.tryLock('a', 5); if (h) { await h.extend(5); await h.free(); }`,
    ['acquire handle manual declared handle or null; ttl given', 'extend handle declared none given', 'release handle declared contract none harmless']],
  ['handle assigned later', `${HELD} let h: Held | null = null; try { h = await s.tryLock('a', 5) } finally { await h?.free() }`,
    ['acquire handle manual declared handle or null; ttl given', 'release handle declared contract none harmless']],
  ['destructured release', 'declare const s: { lock(key: string, ttl: number): Promise<{ release(): void }> }; const { release } = await s.lock("a", 1); release()',
    ['acquire handle manual declared handle or throws; ttl given', 'release handle declared contract none harmless']],
  ['release function', 'declare function acquireLock(key: string, ttl: number): Promise<(() => Promise<void>) | null>; const free = await acquireLock("a", 1); await free?.()',
    ['acquire handle manual declared handle or null; ttl given', 'release handle declared contract none harmless']],
  ['grant not handed over', `${BROKER} await b.lock('a', { ttl: 4 }); await b.unlock('a')`,
    ['acquire key manual declared handle or throws; ttl given', 'release key declared unknown missing deletes-other']],
  ['grant handed over', `${BROKER} const { grantId } = await b.lock('a', { ttl: 4 }); await b.unlock('a', grantId)`,
    ['acquire key manual declared handle or throws; ttl given', 'release key declared contract given harmless']],
  ['row is the handle', 'interface J { id: string } declare const q: { lockNext(name: string): Promise<J | undefined>; unlock(id: string): Promise<void> }; const j = await q.lockNext("a"); await q.unlock(j.id)',
    ['acquire handle manual declared handle or undefined; ttl open', 'release handle declared contract none harmless']],
  ['handle handed to release', 'interface K { k: string } declare const m: { acquire(key: string, ttl: number): Promise<K>; release(lock: K): Promise<void> }; const k = await m.acquire("a", 1); await m.release(k)',
    ['acquire handle manual declared handle or throws; ttl given', 'release handle declared contract none harmless']],
  ['owner of this call alone', `${STEP_LOCK} const me = crypto.randomUUID(); l.acquire(id, me, 5000); l.release(id, me)`,
    ['acquire key manual declared boolean; ttl given; owner', 'release key declared contract given harmless']],
  ['lock of nobody', 'declare const l: { acquire(key: string, o?: { ownerId?: string; expire?: number }): Promise<void>; release(key: string, o?: { ownerId?: string }): Promise<void> }; l.release("a")',
    ['release key declared contract given deletes-other']],
  ['owner left out of the release only', 'declare const l: { acquire(key: string, o?: { ownerId?: string; expire?: number }): Promise<void>; release(key: string, o?: { ownerId?: string }): Promise<void> }; l.acquire("a", { ownerId: "b" }); l.release("a")',
    ['acquire key manual declared void or throws; ttl open; owner', 'release key declared unknown missing deletes-other']],
  ['options object', 'declare const m: { acquire(o: { key: string; owner: string; ttlMs: number }): Promise<boolean>; release(o: { key: string; owner: string }): Promise<void> }; m.acquire({ key: "a", owner: "b", ttlMs: 1 }); m.release({ key: "a", owner: "b" })',
    ['acquire key manual declared boolean; ttl given; owner', 'release key declared contract given deletes-other']],
  ['tagged answer', 'declare const m: { acquire(key: string, ttl: number): Promise<{ ok: true; token: string } | { ok: false }>; release(key: string, token: string): Promise<void> }; m.acquire("a", 1)',
    ['acquire key manual declared union by ok; ttl given']],
  ['plain functions', 'declare function lock(key: string, ttlMs: number): Promise<void>; declare function unlock(key: string): Promise<void>; lock("a", 1); unlock("a")',
    ['acquire key manual declared void or throws; ttl given', 'release key declared unknown none deletes-other']],
  ['imported functions', "import { acquireLock, releaseLock } from './elsewhere'; acquireLock(`a:${id}`, TTL_MS); releaseLock(`a:${id}`)",
    ['acquire key manual name unknown; ttl given', 'release key name unknown none unknown']],
  ['a lease by another name', 'interface Held { free(): Promise<void> } declare const locks: { waitFor(key: string, ttlMs: number): Promise<Held> }; const h = await locks.waitFor("a", 1); await h.free()',
    ['acquire handle manual declared handle or throws; ttl given', 'release handle declared contract none harmless']],
  ['await using', 'interface L extends AsyncDisposable { f: string } declare const s: { tryLease(folder: string, o: { ttlMs: number }): Promise<L | null> }; { await using x = await s.tryLease("a", { ttlMs: 1 }); }',
    ['acquire handle using declared handle or null; ttl given']],
  ['redlock', `${REDLOCK} const k = await r.acquire(['a'], 5000); await k.extend(5); await k.release()`,
    ['acquire handle manual model handle or throws; ttl given', 'extend handle model none given', 'release handle model contract none throws']],
  ['redlock releases a lock', `${REDLOCK} let k; k = await r.lock('a', 5); r.unlock(k)`, ['acquire handle manual model handle or throws; ttl given', 'release handle model contract none throws']],
  ['redlock by annotation', "import type Redlock from '@sesamecare-oss/redlock'; import type { Lock } from 'redlock'; const f = (r: Redlock, k: Lock) => [r.acquire(['a'], 5), k.release()]",
    ['acquire handle manual model handle or throws; ttl given', 'release handle model contract none throws']],
  ['redlock using', `${REDLOCK} r.using(['a'], 5, async (signal) => {})`, ['acquire handle callback model void or throws; ttl given']],
  ['redis-semaphore', "import { Mutex } from 'redis-semaphore'; const m = new Mutex(redis, 'a'); await m.acquire(); await m.tryAcquire(); await m.release()",
    ['acquire receiver manual model void or throws; ttl lapses-otherwise', 'acquire receiver manual model boolean; ttl lapses-otherwise', 'release receiver model contract none harmless']],
  ['verrou', "import { Verrou } from '@verrou/core'; const v = new Verrou({}); const l = v.createLock('a'); await l.acquire(); await l.run(async () => {})",
    ['acquire receiver manual model boolean; ttl lapses-otherwise', 'acquire receiver callback model [executed, result]; ttl lapses-otherwise']],
  ['withLock', 'withLock(`a:${id}`, 5000, async () => {}); locks.runExclusive("a", () => {})', ['acquire key callback name unknown; ttl given', 'acquire key callback name unknown; ttl open']],
];

const nothing: readonly (readonly [string, string])[] = [
  ['stream reader', 'const reader = response.body.getReader(); reader.releaseLock()'],
  ['navigator', "navigator.wakeLock.request('screen'); screen.orientation.lock('landscape'); navigator.keyboard.lock()"],
  ['connection pool', 'interface C { release(): void } declare const pool: { acquire(): Promise<C> }; const c = await pool.acquire(); c.release()'],
  ['pg client', "import { Pool } from 'pg'; const pool = new Pool(); const c = await pool.connect(); c.release()"],
  ['queue', 'interface Job { a: string } declare const queue: { take(id: string): Promise<Job>; drop(id: string): void }; queue.take("a")'],
  ['claim that answers at once', 'declare const tabs: { claim(chatId: string): boolean; release(chatId: string): void }; tabs.claim("a"); tabs.release("a")'],
  ['queue with a timeout', 'interface Job { a: string } declare const queue: { take(id: string, timeoutMs: number): Promise<Job | null>; free(): void }; queue.take("a", 1)'],
  ['semaphore without key', 'declare const sem: { acquire(): Promise<void>; release(): void }; await sem.acquire(); sem.release()'],
  ['async-mutex', "import { Mutex } from 'async-mutex'; const m = new Mutex(); await m.runExclusive(async () => {}); const release = await m.acquire(); release()"],
  ['list', 'declare const list: { take(n: number): number[]; drop(n: number): number[] }; list.take(3); list.drop(3)'],
  ['file', 'file.lock(); file.unlock()'],
  ['function with a body', 'function lock(key: string, ttl: number) { return true } function unlock(key: string) {} lock("a", 1); unlock("a")'],
  ['cache', 'declare const cache: { refresh(key: string, ttl: number): void; touch(key: string): void }; cache.refresh("a", 1); cache.touch("a")'],
];

describe('lockCall', () => {
  it.each(cases)('reads %s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each(nothing)('is silent on %s', (_, text) => {
    expect(read(text)).toEqual([]);
  });
});
