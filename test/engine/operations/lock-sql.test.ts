import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sqlLocksAt } from '../../../src/engine/operations/lock-sql.js';
import type { Operation } from '../../../src/engine/operations/operation.js';
import { showValue } from '../../../src/engine/operations/value.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

/** All lock operations of a text in its order. */
function read(text: string): Operation[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const unit = createUnits(ts, NO_PROJECT).of(file);
  const found: Operation[] = [];
  const walk = (node: ts.Node): void => {
    found.push(...sqlLocksAt(unit, node));
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

function show(o: Operation): string {
  const key = showTerm(o.key).replaceAll(/[`']/g, '');
  if (o.kind === 'acquire') return `acquire ${o.api} ${key} ${o.scope} ttl ${o.ttl.kind}`;
  return o.kind === 'release' ? `release ${o.api} ${key} ${o.ownerCheck} ${o.ownerSlot} ${o.ifNotHeld}` : `${o.kind} ${o.api} ${key}`;
}

function answer(text: string): string {
  const [first] = read(text);
  return first?.kind === 'acquire' ? `${first.result.won.map(showValue).join(' | ')} or ${first.result.lost.map(showValue).join(' | ')}` : 'no acquire';
}

const shown = (text: string): string[] => read(text).map(show);
const PG = "import type { PoolClient } from 'pg'; declare const c: PoolClient;";

describe('advisory and named locks', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['session lock and unlock', `${PG} async function f(id) { await c.query('SELECT pg_advisory_lock($1)', [id]); await c.query('SELECT pg_advisory_unlock($1)', [id]); }`,
      ['acquire pg_advisory_lock advisory lock ${id} manual ttl lapses-otherwise', 'release pg_advisory_unlock advisory lock ${id} atomic none harmless']],
    ['two keys, constants and a hash', `${PG} const NS = 4; async function f(id) { await c.query(\`SELECT pg_try_advisory_lock(\${NS}, hashtext($1))\`, [id]); }`,
      ['acquire pg_try_advisory_lock advisory lock 4, hashtext(${id}) manual ttl lapses-otherwise']],
    ['a literal and a parameter are one key', `${PG} async function f() { await c.query('SELECT pg_advisory_lock(7)'); await c.query('SELECT pg_advisory_unlock($1)', [7]); }`,
      ['acquire pg_advisory_lock advisory lock 7 manual ttl lapses-otherwise', 'release pg_advisory_unlock advisory lock 7 atomic none harmless']],
    ['shared locks are another lock', `${PG} async function f() { await c.query('SELECT pg_advisory_lock_shared(7)'); }`, ['acquire pg_advisory_lock_shared shared advisory lock 7 manual ttl lapses-otherwise']],
    ['unlock all', `${PG} async function f() { await c.query('SELECT pg_advisory_lock(7)'); await c.query('SELECT pg_advisory_unlock_all()'); }`,
      ['acquire pg_advisory_lock advisory lock 7 manual ttl lapses-otherwise', 'release pg_advisory_unlock_all advisory lock 7 atomic none harmless']],
    ['named lock of MySQL', "import mysql from 'mysql2/promise'; async function f(c, n) { await c.query('SELECT GET_LOCK(?, 10) AS ok', [n]); await c.query('SELECT RELEASE_LOCK(?)', [n]); }",
      ['acquire GET_LOCK named lock ${n} manual ttl lapses-otherwise', 'release RELEASE_LOCK named lock ${n} atomic none harmless']],
    ['taken and given back in one text', `${PG} c.query('SELECT pg_advisory_lock(7); UPDATE t SET a = 1; SELECT pg_advisory_unlock(7)')`, []],
    ['a long key in the words of the code', `${PG} async function f(a) { const k = await keyOf({ first: a.first, second: a.second, third: a.third, fourth: a.fourth }); await c.query('SELECT pg_advisory_lock($1)', [k.id]); }`,
      ['acquire pg_advisory_lock advisory lock ${k.id} manual ttl lapses-otherwise']],
    ['no lock', `${PG} c.query('SELECT pg_advisory_note(7)')`, []],
  ];
  it.each(cases)('%s', (_, text, expected) => expect(shown(text)).toEqual(expected));
});

describe('the end of a transaction lock', () => {
  const XACT = 'acquire pg_advisory_xact_lock advisory lock 7';
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['callback', "db.transaction(async (tx) => { await tx.execute(sql`select pg_advisory_xact_lock(7)`); })", [`${XACT} transaction ttl lapses-otherwise`]],
    ['callback, on another client', "db.transaction(async (tx) => { await db.execute(sql`select pg_advisory_xact_lock(7)`); })", [`${XACT} manual ttl lapses-otherwise`]],
    ['batch', 'prisma.$transaction([prisma.$executeRaw`SELECT pg_advisory_xact_lock(7)`, other])', [`${XACT} transaction ttl lapses-otherwise`]],
    ['declared transaction', 'function f(tx: Prisma.TransactionClient) { return tx.$executeRaw`SELECT pg_advisory_xact_lock(7)`; }', [`${XACT} transaction ttl lapses-otherwise`]],
    ['one text', `${PG} c.query('BEGIN; SELECT pg_advisory_xact_lock(7); UPDATE t SET a = 1; COMMIT')`, [`${XACT} transaction ttl lapses-otherwise`]],
    ['BEGIN and COMMIT', `${PG} async function f() { await c.query('BEGIN'); await c.query('SELECT pg_advisory_xact_lock(7)'); await c.query('COMMIT'); }`,
      [`${XACT} manual ttl lapses-otherwise`, 'release COMMIT advisory lock 7 atomic none harmless']],
    ['rolled back only: the caller gets the transaction', `${PG} async function f() { await c.query('BEGIN'); try { await c.query('SELECT pg_advisory_xact_lock(7)'); } catch { await c.query('ROLLBACK'); } return c; }`,
      [`${XACT} manual ttl lapses-otherwise`]],
  ];
  it.each(cases)('%s', (_, text, expected) => expect(shown(text)).toEqual(expected));

  it('counts the end of the session where the function also unlocks', () => {
    const lock = "await c.query('SELECT pg_advisory_lock(7)');";
    const unlock = "await c.query('SELECT pg_advisory_unlock(7)');";
    expect(shown(`${PG} async function f() { ${lock} ${unlock} c.release(true); c.release(); }`).slice(1)).toEqual([
      'release pg_advisory_unlock advisory lock 7 atomic none harmless', 'release release advisory lock 7 atomic none harmless',
    ]);
    expect(shown(`${PG} async function f() { ${lock} c.release(true); }`)).toHaveLength(1);
  });
});

describe('the answer of a try-lock', () => {
  const TRY = 'SELECT pg_try_advisory_lock(7) AS ok';
  const cases: readonly (readonly [string, string, string])[] = [
    ['pg', `${PG} async function f() { const r = await c.query('${TRY}'); if (r.rows[0].ok) go(); }`, '{rowCount:1,rows:[{ok:true..}#1]..} or {rowCount:1,rows:[{ok:false..}#1]..}'],
    ['postgres.js', `import postgres from 'postgres'; const sql = postgres(); async function f() { const [r] = await sql\`${TRY}\`; if (r.ok) go(); }`, '[{ok:true..}#1] or [{ok:false..}#1]'],
    ['prisma rows', `async function f() { const [r] = await prisma.$queryRaw\`${TRY}\`; return r.ok; }`, '[{ok:true..}#1] or [{ok:false..}#1]'],
    ['prisma count', `async function f() { const n = await prisma.$executeRaw\`${TRY}\`; return n; }`, '1 or 1'],
    ['mysql2', "import mysql from 'mysql2/promise'; async function f(c) { const [[r]] = await c.query('SELECT GET_LOCK(?, 0) AS ok', [n]); return r.ok === 1; }", '[[{ok:1..}#1],?#2] or [[{ok:0..}#1],?#2]'],
    ['declared rows', `interface S { one<T>(q: string): Promise<T[]> } async function f(s: S) { const [ok] = await s.one<{ ok: boolean }>('${TRY}'); if (!ok) throw new Error(); }`, '[{ok:true..}#1] or [{ok:false..}#1]'],
    ['declared boolean', `interface S { flag(q: string): Promise<boolean> } async function f(s: S) { return s.flag('${TRY}'); }`, 'true or false'],
    ['unknown wrapper', `async function f() { return await store.flag('${TRY}'); }`, '? or ?'],
    ['hidden in a condition', `${PG} async function f() { return await c.query('SELECT id FROM jobs WHERE pg_try_advisory_lock(7)'); }`, '? or ?'],
    ['read by a method', `${PG} async function f() { const r = await c.query('${TRY}'); return r.rows.some((x) => x.ok); }`, '? or ?'],
    ['read by a loop', `${PG} async function f() { for (const r of (await c.query('${TRY}')).rows) go(r); }`, '? or ?'],
    ['waits', `${PG} async function f() { await c.query('SELECT pg_advisory_lock(7)'); }`, '? or '],
  ];
  it.each(cases)('%s', (_, text, expected) => expect(answer(text)).toBe(expected));
});
