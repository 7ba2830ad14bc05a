import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sqlLocksAt } from '../../../src/engine/operations/lock-sql.js';
import type { Operation, TtlGiven } from '../../../src/engine/operations/operation.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

/** All lock operations of a text in its order, each as one line. */
function read(text: string): string[] {
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  const unit = createUnits(ts, NO_PROJECT).of(file);
  const found: string[] = [];
  const walk = (node: ts.Node): void => {
    found.push(...sqlLocksAt(unit, node).map(show));
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}

function show(o: Operation): string {
  const key = showTerm(o.key).replaceAll(/[`'$]/g, '').replace('row lock of ', '');
  if (o.kind === 'acquire') return `acquire ${o.api} ${key}; owner ${o.owner === undefined ? '-' : showTerm(o.owner)}; ttl ${showTtl(o.ttl)}; ${o.result.label}`;
  if (o.kind === 'release') return `release ${o.api} ${key}; ${o.ownerCheck} ${o.ownerSlot} ${o.ifNotHeld}`;
  return o.kind === 'extend' ? `extend ${key}; ${o.ownerCheck}; ttl ${showTtl(o.ttl)}` : o.kind;
}

function showTtl(ttl: TtlGiven): string {
  return ttl.kind === 'given' ? `${showTerm(ttl.ttl.term)} ${ttl.ttl.unit}` : ttl.kind;
}

const PG = "import type { Pool } from 'pg'; declare const db: Pool;";
const TAKE = `await db.query("UPDATE feeds SET locked_by = $2, locked_until = now() + interval '2 minutes' WHERE id = $1 AND (locked_by IS NULL OR locked_until < now())", [id, me])`;
const TAKEN = 'acquire UPDATE feeds {id}; owner me; ttl 120000 ms; object with rowCount';

const CASES: readonly (readonly [string, string, readonly string[]])[] = [
  ['taken for a time, cleared by its owner', `${PG} async function f(id, me) { ${TAKE}; await db.query('UPDATE feeds SET locked_by = NULL, locked_until = NULL WHERE id = $1 AND locked_by = $2', [id, me]); }`,
    [TAKEN, 'release UPDATE feeds {id}; atomic given unknown']],
  ['cleared by key', `${PG} async function f(id, me) { ${TAKE}; try { go(); } finally { await db.query('UPDATE feeds SET locked_by = NULL WHERE id = $1', [id]); } }`,
    [TAKEN, 'release UPDATE feeds {id}; none none deletes-other']],
  ['cleared by key elsewhere: an unlock that a person asks for', `${PG} async function f(id, me) { ${TAKE}; } async function unlock(id) { await db.query('UPDATE feeds SET locked_by = NULL WHERE id = $1', [id]); }`,
    [TAKEN, 'release UPDATE feeds {id}; unknown none deletes-other']],
  ['renewed by key, and by a living owner', `${PG} async function f(id, me) { ${TAKE}; } async function g(id, me) {
      await db.query("UPDATE feeds SET locked_until = now() + interval '2 minutes' WHERE id = $1", [id]);
      await db.query("UPDATE feeds SET locked_until = now() + interval '2 minutes' WHERE id = $1 AND locked_by = $2", [id, me]);
      await db.query("UPDATE feeds SET locked_until = $3 WHERE id = $1 AND locked_by = $2 AND locked_until > now()", [id, me, until]); }`,
    [TAKEN, 'extend feeds {id}; none; ttl 120000 ms', 'extend feeds {id}; unknown; ttl 120000 ms', 'extend feeds {id}; atomic; ttl open']],
  ['a sweep gives nothing back', `${PG} async function f(id, me) { ${TAKE}; await db.query('UPDATE feeds SET locked_by = NULL WHERE locked_until < now()'); }`, [TAKEN]],
  ['a step: its writes are transitions', `${PG} async function f(id, me) { ${TAKE}; await db.query("UPDATE feeds SET status = 'done', locked_by = NULL WHERE id = $1", [id]); }`, []],
  ['a row of a table of locks', `${PG} async function f(me) {
      await db.query('INSERT INTO job_locks (name, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING', ['a', me]);
      try { go(); } finally { await db.query('DELETE FROM job_locks WHERE name = $1 AND owner = $2', ['a', me]); } }`,
    ['acquire INSERT job_locks {[a]}; owner me; ttl open; object with rowCount', 'release DELETE job_locks {[a]}; atomic given unknown']],
  ['taken over when it has run out', `${PG} db.query("INSERT INTO leases (name, owner, expires_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO UPDATE SET owner = $2, expires_at = $3 WHERE leases.expires_at < now()", [name, me, new Date(Date.now() + ttlMs)])`,
    ['acquire UPDATE leases {row}; owner me; ttl ttlMs ms; object with rowCount']],
  ['overwritten without a question', `${PG} db.query('INSERT INTO leases (name, owner) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET owner = $2', [name, me])`, []],
  ['a flag around work', `async function f(id) { const n = await knex('gates').where({ id, is_locked: 0 }).update({ is_locked: 1 }); if (n !== 1) return; try { go(); } finally { await knex('gates').where({ id }).update({ is_locked: 0 }); } }`,
    ['acquire UPDATE gates {id}; owner -; ttl none; count', 'release UPDATE gates {id}; unknown none deletes-other']],
  ['a flag that people toggle', `async function shut(id) { await knex('pages').where({ id, is_locked: false }).update({ is_locked: true }); } async function open(id) { await knex('pages').where({ id }).update({ is_locked: false }); }`, []],
  ['a document', `import type { Collection } from 'mongodb'; async function f(c: Collection, holder: string) {
      await c.findOneAndUpdate({ _id: 'x', $or: [{ holder: null }, { heldUntil: { $lt: now } }] }, { $set: { holder, heldUntil: new Date(Date.now() + 5000) } });
      await c.updateOne({ _id: 'x', holder }, { $set: { holder: null, heldUntil: null } }); }`,
    ['acquire UPDATE c {[x]}; owner holder; ttl 5000 ms; handle or null', 'release UPDATE c {[x]}; atomic given unknown']],
];

describe('locks in rows', () => {
  it.each(CASES)('%s', (_, text, expected) => expect(read(text)).toEqual(expected));
});
