import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sqlAccess, sqlLocksOf, sqlTextOf } from '../../../src/engine/operations/access-sql.js';
import type { ColumnAssignment, ColumnCondition, StateAccess } from '../../../src/engine/operations/state-access.js';
import { showValue } from '../../../src/engine/operations/value.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import { showTerm } from '../../../src/engine/syntax/term.js';
import { createUnits, type Unit } from '../../../src/engine/syntax/unit.js';

type SqlNode = ts.CallExpression | ts.TaggedTemplateExpression;

function each<T>(code: string, read: (unit: Unit, node: SqlNode) => T | undefined): readonly T[] {
  const file = ts.createSourceFile('case.ts', code, ts.ScriptTarget.Latest, true);
  const unit = createUnits(ts, NO_PROJECT).of(file);
  const found: T[] = [];
  const visit = (n: ts.Node): void => {
    const value = ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n) ? read(unit, n) : undefined;
    if (value !== undefined) found.push(value);
    ts.forEachChild(n, visit);
  };
  visit(file);
  return found;
}

function showCondition(c: ColumnCondition): string {
  const values = c.source === 'store' ? ' store' : c.values.map((v) => ` ${showTerm(v)}`).join('');
  return `${c.column} ${c.op}${values}${c.mayBeAbsent ? ' maybe' : ''}`;
}

function showAssignment(a: ColumnAssignment): string {
  return `${a.column}=${a.source === 'code' ? (a.value && showTerm(a.value)) ?? '?' : a.source}`;
}

function show(a: StateAccess): string {
  const client = a.client === undefined ? '-' : showTerm(a.client);
  if (a.kind === 'transaction') return `tx ${client} ${a.isolation}${a.exclusive ? ' exclusive' : ''}`;
  const head = `${a.layer}/${a.evidence} ${client} ${String(a.target)}`;
  const where = `[${a.where.map(showCondition).join(', ')}${a.whereOpen ? ' ..' : ''}]`;
  if (a.kind === 'read') return `read ${head} ${where} ${a.single ? 'one' : 'many'} ${a.lock}`;
  return `${a.verb} ${head} {${a.set.map(showAssignment).join(', ')}${a.setOpen ? ' ..' : ''}} ${where}${a.locksRows ? ' locks' : ''}`;
}

function form(code: string): string {
  const [write] = each(code, sqlAccess);
  if (write?.kind !== 'write') return 'no write';
  return `${write.result.won.map(showValue).join(' | ')} or ${write.result.lost.map(showValue).join(' | ')}${write.result.silent === true ? ' silent' : ''}`;
}

const of = (code: string): readonly string[] => each(code, sqlAccess).map(show);
const NONE: readonly string[] = [];

describe('statements', () => {
  it('reads an UPDATE of pg with its parameters', () => {
    const code = `import type { Pool } from 'pg';
      async function f(pool: Pool, id: string, next: string) {
        await pool.query<{ id: string }>('UPDATE runs SET status = $2, ended_at = now() WHERE run_id = $1 AND status NOT IN (\\'DONE\\', \\'ERROR\\')', [id, next]);
      }`;
    expect(of(code)).toEqual(['update pg/package pool runs {status=next, ended_at=store} [run_id eq id, status not-in \'DONE\' \'ERROR\']']);
  });

  it('tells an own old value from a value of the program', () => {
    const code = 'function f(db, id, p) { db.query(`UPDATE t SET tries = tries + 1, body = to_jsonb($2), n = CASE WHEN m THEN 1 END, s = $3::text WHERE id = $1`, [id, p, "x"]); }';
    expect(of(code)).toEqual(['update sql/shape db t {tries=old-value, body=p, n=store, s=\'x\'} [id eq id]']);
  });

  it('takes an upsert by its overwriting part', () => {
    const code = `function f(db, id, s) {
      db.query('INSERT INTO runs (id, status) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET status = EXCLUDED.status WHERE runs.status <> \\'done\\'', [id, s]);
      db.query('INSERT INTO runs (id, status) VALUES ($1, $2)', [id, s]);
      db.query('INSERT INTO runs (id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    }`;
    expect(of(code)).toEqual(['upsert sql/shape db runs {status=s} [status ne \'done\']']);
  });

  it('reads DELETE and SELECT with its row lock', () => {
    const code = `function f(client, id) {
      client.query('DELETE FROM leases WHERE id = $1 AND owner = $2', [id, 'me']);
      client.query('SELECT * FROM jobs WHERE state = $1 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED', ['ready']);
      client.query('SELECT * FROM jobs WHERE id = $1 FOR UPDATE', [id]);
      client.query('SELECT a, b FROM jobs WHERE state = $1', ['ready']);
    }`;
    expect(of(code)).toEqual([
      'delete sql/shape client leases {} [id eq id, owner eq \'me\']',
      'read sql/shape client jobs [state eq \'ready\'] one skip-locked',
      'read sql/shape client jobs [id eq id] one wait',
      'read sql/shape client jobs [state eq \'ready\'] many none',
    ]);
  });

  it('counts the condition of a query that locks the rows', () => {
    const code = `function f(db, w) {
      db.query(\`UPDATE jobs SET owner = $1 WHERE id = (SELECT id FROM jobs WHERE state = 'ready' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING *\`, [w]);
      db.query(\`WITH p AS (SELECT id FROM jobs WHERE state = 'ready' FOR UPDATE SKIP LOCKED LIMIT 5) UPDATE jobs j SET state = 'busy' FROM p WHERE p.id = j.id\`);
    }`;
    expect(of(code)).toEqual([
      'update sql/shape db jobs {owner=w} [id eq store, state eq \'ready\'] locks',
      'update sql/shape db jobs {state=\'busy\'} [id eq store, state eq \'ready\'] locks',
    ]);
  });

  it('marks what may not hold and what is not understood', () => {
    const code = `function f(db, id, o) {
      db.query("UPDATE t SET s = 'x' WHERE id = $1 AND (lease IS NULL OR owner = $2)", [id, o]);
      db.query("UPDATE t SET s = 'x' WHERE id = $1 AND EXISTS (SELECT 1 FROM leases WHERE owner = $2)", [id, o]);
      db.query("UPDATE t SET s = 'x' FROM r WHERE t.rid = r.id AND r.s = 'live'");
    }`;
    expect(of(code)).toEqual([
      'update sql/shape db t {s=\'x\'} [id eq id, lease is-null maybe, owner eq o maybe]',
      'update sql/shape db t {s=\'x\'} [id eq id ..]',
      'update sql/shape db t {s=\'x\'} [rid eq store ..]',
    ]);
  });

  it('reads BEGIN with its isolation', () => {
    const code = `async function f(c) {
      await c.query('BEGIN'); await c.query('BEGIN ISOLATION LEVEL SERIALIZABLE'); await c.query('BEGIN; SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      c.exec('BEGIN IMMEDIATE'); await c.query('COMMIT'); span.addEvent('begin');
    }`;
    expect(of(code)).toEqual(['tx c default', 'tx c serializable', 'tx c repeatable-read', 'tx c default exclusive']);
  });

  it('reads a transaction with a callback', () => {
    expect(of('sql.begin(async (tx) => { await work(tx); }); sql.begin("isolation level serializable", (t) => t`SELECT 1`); xhr.begin("x")')).toEqual(['tx tx default', 'tx t serializable']);
  });

  it('takes a SELECT whose CTE writes as that write', () => {
    const code = 'db.query("WITH moved AS (UPDATE t SET s = \'b\' WHERE id = $1 AND s = \'a\' RETURNING id) SELECT count(*) FROM moved", [id])';
    expect(of(code)).toEqual(['update sql/shape db t {s=\'b\'} [id eq id, s eq \'a\']']);
  });
});

describe('where the text comes from', () => {
  it('follows names, fields, concatenation and objects', () => {
    const code = `const TABLE = 'jobs'; const SQL = { done: "UPDATE jobs SET s = 'done' WHERE id = ?" };
      class A { private readonly text = "UPDATE jobs SET s = 'a' WHERE id = $1"; f(id) { this.db.query(this.text, [id]); } }
      function f(db, id) {
        db.execute(SQL.done, [id]);
        db.query('UPDATE ' + TABLE + " SET s = 'c' " + 'WHERE id = $1', [id]);
        db.query({ text: \`UPDATE \${TABLE} SET s = 'd' WHERE id = $1\`, values: [id] });
        db.query(['UPDATE jobs', "SET s = 'e'", 'WHERE id = $1'].join(' '), [id]);
      }`;
    expect(of(code)).toEqual([
      'update sql/shape this.db jobs {s=\'a\'} [id eq id]', 'update sql/shape db jobs {s=\'done\'} [id eq id]', 'update sql/shape db jobs {s=\'c\'} [id eq id]',
      'update sql/shape db jobs {s=\'d\'} [id eq id]', 'update sql/shape db jobs {s=\'e\'} [id eq id]',
    ]);
  });

  it('leaves open what is appended later', () => {
    const code = `function f(db, id, g) { let q = "UPDATE jobs SET s = 'x' WHERE id = $1"; if (g) q += " AND s = 'y'"; db.query(q, [id]); }`;
    expect(of(code)).toEqual(['update sql/shape db jobs {s=\'x\'} [id eq id ..]']);
  });

  it('inlines fragments and keeps unknown ones open', () => {
    const code = `const live = sql\`status = 'live'\`;
      const g = () => sql\`owner IS NULL\`;
      async function f(id, extra) {
        await sql\`UPDATE t SET s = 'x' WHERE id = \${id} AND \${live} AND \${g()}\`;
        await sql\`UPDATE t SET s = 'x' WHERE id = \${id} AND \${extra}\`;
        await sql\`UPDATE t SET \${sql({ s: 'x', n: id })} WHERE id = \${id}\`;
        await sql\`UPDATE t SET \${sql(extra)} WHERE id = \${id}\`;
      }`;
    expect(of(code)).toEqual([
      'update postgres.js/shape sql t {s=\'x\'} [id eq id, status eq \'live\', owner is-null]',
      'update postgres.js/shape sql t {s=\'x\'} [id eq id ..]',
      'update postgres.js/shape sql t {s=\'x\', n=id} [id eq id]',
      'update postgres.js/shape sql t { ..} [id eq id]',
    ]);
  });

  it('reads fragments with parameters, whose values the call gave', () => {
    const code = `class B {
      owned(p) { return this.pg\`id = \${p.id} AND status = 'running' AND ns = \${this.ns}\`; }
      f(p) { return this.pg<Row[]>\`UPDATE \${runs} SET s = \${p.next} WHERE \${this.owned(p)} RETURNING *\`; }
    }`;
    expect(of(code)).toEqual(['update postgres.js/shape this.pg runs {s=p.next} [id eq this.owned(p), status eq \'running\', ns eq this.ns]']);
  });

  it('takes no function that only builds text for a store', () => {
    const code = 'function locked(s: string, q: string): string { return `BEGIN; ${q}; COMMIT`; } const x = locked(schema, "DELETE FROM t WHERE id = 1");';
    expect(of(code)).toEqual(NONE);
  });

  it('compares tables that are written as holes, and leaves locks of other tables open', () => {
    const code = `async function f(w) {
      await sql\`UPDATE \${jobs} SET owner = \${w} WHERE id = (SELECT id FROM \${jobs} WHERE state = 'ready' LIMIT 1 FOR UPDATE)\`;
      await sql\`WITH p AS (SELECT id FROM \${runs} WHERE state = 'live' FOR UPDATE) UPDATE \${jobs} SET state = 'x' FROM p WHERE run_id = p.id\`;
    }`;
    expect(of(code)).toEqual([
      'update postgres.js/shape sql jobs {owner=w} [id eq store, state eq \'ready\'] locks', 'update postgres.js/shape sql jobs {state=\'x\'} [run_id eq store ..]',
    ]);
  });

  it('knows the inserted value in a condition, and that it is hidden where the rows are', () => {
    expect(of(`db.query("INSERT INTO l (k, owner) VALUES ($1, $2) ON CONFLICT (k) DO UPDATE SET owner = EXCLUDED.owner WHERE l.owner = EXCLUDED.owner", [k, me])`))
      .toEqual(['upsert sql/shape db l {owner=me} [owner eq me]']);
    expect(of('sql`INSERT INTO l (k, owner) VALUES ${rows} ON CONFLICT (k) DO UPDATE SET owner = EXCLUDED.owner`')).toEqual(['upsert postgres.js/shape sql l {owner=?} []']);
  });

  it('counts a template once, where it is run', () => {
    const drizzle = `import { sql } from 'drizzle-orm'; const q = sql\`UPDATE a SET s = 1 WHERE id = 2\`;
      db.execute(q); tx.execute<Row>(sql\`UPDATE \${jobs} SET \${jobs.status} = 'x' WHERE \${jobs.id} = \${id}\`);`;
    expect(of(drizzle)).toEqual(['update drizzle/package db a {s=1} [id eq 2]', 'update drizzle/package tx jobs {status=\'x\'} [id eq id]']);
    expect(of('import { sql } from "kysely"; sql<Row>`UPDATE a SET s = 1 WHERE id = ${id}`.execute(trx)')).toEqual(['update kysely/package trx a {s=1} [id eq id]']);
  });

  it('binds named and single parameters', () => {
    const code = `import Database from 'better-sqlite3';
      const stmt = db.prepare('UPDATE t SET s = @next WHERE id = @id AND s = @from');
      stmt.run({ id, next: 'b', from: 'a' }); db.prepare('UPDATE t SET s = ? WHERE id = ?').run('z', id);`;
    expect(of(code)).toEqual(['update sqlite/package db t {s=\'b\'} [id eq id, s eq \'a\']', 'update sqlite/package db t {s=\'z\'} [id eq id]']);
    expect(of('sequelize.query("UPDATE t SET s = :s WHERE id = :id", { replacements: { s: "x", id } })')).toEqual(['update sql/shape sequelize t {s=\'x\'} [id eq id]']);
    expect(of('function f(db, values) { db.query("UPDATE t SET s = $1 WHERE id = $2", values); }')).toEqual(['update sql/shape db t {s=values.0} [id eq values.1]']);
    expect(of('db.query("UPDATE t SET s = $1 WHERE id = $2", [...head, id])')).toEqual(['update sql/shape db t {s=?} [id eq]']);
  });

  it('takes lists as their items', () => {
    const code = 'const S = ["a", "b"]; db.query("UPDATE t SET s = 1 WHERE id = $1 AND s = ANY($2)", [id, S]); db.query("UPDATE t SET s = 1 WHERE s = ANY($1)", [given])';
    expect(of(code)).toEqual(['update sql/shape db t {s=1} [id eq id, s in \'a\' \'b\']', 'update sql/shape db t {s=1} [s in given]']);
  });

  it('says nothing of prose, logs, migrations of text and fragments', () => {
    const code = 'log.info("UPDATE t SET s = 1 WHERE id = 2"); f("Update the status"); db.prepare("UPDATE t SET s = 1"); gql`query { a }`; qb.where(knex.raw("select 1 from t")); html`UPDATE t SET s = 1`;';
    expect(of(code)).toEqual(NONE);
  });

  it('reads a house wrapper', () => {
    expect(of('async function f(s, id) { await s.select<Job>(`UPDATE jobs SET s = \'x\' WHERE id = $1 RETURNING *`, [id]); await exec(s, "DELETE FROM jobs WHERE id = $1", [id]); }'))
      .toEqual(['update sql/shape s jobs {s=\'x\'} [id eq id]', 'delete sql/shape s jobs {} [id eq id]']);
  });
});

describe('answers', () => {
  const UPDATE = 'UPDATE t SET s = 1 WHERE id = 2 AND s = 0';
  it.each([
    ['pg', `import pg from 'pg'; c.query("${UPDATE}")`, '{rowCount:1,rows:[#0]..} or {rowCount:0,rows:[#0]..}'],
    ['pg returning', `import pg from 'pg'; c.query("${UPDATE} RETURNING *")`, '{rowCount:1,rows:[{..}#1]..} or {rowCount:0,rows:[#0]..}'],
    ['pg, many rows', `import pg from 'pg'; c.query("UPDATE t SET s = 1 WHERE s = 0 RETURNING *")`, '{rowCount:>0,rows:[{..}#undefined]..} or {rowCount:0,rows:[#0]..}'],
    ['no import', `c.query("${UPDATE}")`, '{affectedRows:1,changes:1,rowCount:1,rows:[#0]..} or {affectedRows:0,changes:0,rowCount:0,rows:[#0]..}'],
    ['mysql2', `import mysql from 'mysql2/promise'; c.execute("${UPDATE}")`, '[{affectedRows:1..},?#2] or [{affectedRows:0..},?#2]'],
    ['better-sqlite3', `db.prepare("${UPDATE}").run()`, '{changes:1,meta:{changes:1,rows_written:1..},results:[#0]..} or {changes:0,meta:{changes:0,rows_written:0..},results:[#0]..}'],
    ['better-sqlite3 get', `db.prepare("${UPDATE} RETURNING *").get()`, '{..} or undefined'],
    ['postgres.js', `sql\`${UPDATE}\``, '{count:1,length:0..} or {count:0,length:0..}'],
    ['postgres.js returning', `sql\`${UPDATE} RETURNING id\``, '[{..}#1] or [#0]'],
    ['$queryRaw', `prisma.$queryRaw<R[]>\`${UPDATE} RETURNING id\``, '[{..}#1] or [#0]'],
    ['$executeRaw', `prisma.$executeRaw\`${UPDATE}\``, '1 or 0'],
    ['kysely', `sql\`${UPDATE}\`.execute(db)`, '{numAffectedRows:1n,rows:[#0]..} or {numAffectedRows:0n,rows:[#0]..}'],
    ['typeorm', `import { DataSource } from 'typeorm'; ds.query("${UPDATE}")`, '[[#0],1#2] | {affectedRows:1,changes:1..} or [[#0],0#2] | {affectedRows:0,changes:0..}'],
    ['house wrapper', `s.select("${UPDATE} RETURNING *")`, '[{..}#1] or [#0]'],
    ['unknown wrapper', `s.change("${UPDATE}")`, '? or ?'],
    ['declared number', `interface E { execute(q: string): Promise<number> } function f(em: E) { return em.execute("${UPDATE}"); }`, '1 or 0'],
    ['declared void', `interface E { execute(q: string): Promise<void> } function f(em: E) { return em.execute("${UPDATE}"); }`, 'undefined or undefined silent'],
  ])('%s', (_, code, expected) => expect(form(code)).toBe(expected));
});

describe('text and locks', () => {
  it('gives the text with its holes and parameters', () => {
    const [text] = each('function f(db, id) { db.query(`SELECT pg_try_advisory_lock($1) AS ok, ${x}`, [id]); }', sqlTextOf);
    expect(text?.parts).toEqual(['SELECT pg_try_advisory_lock($1) AS ok, ', '']);
    expect(text?.holes.map((h) => h.getText())).toEqual(['x']);
    expect(text?.params?.getText()).toBe('[id]');
  });

  it('finds advisory locks, which read no rows', () => {
    const code = 'db.query("SELECT pg_try_advisory_lock($1) AS ok", [id]); await sql`SELECT pg_advisory_unlock(${k})`; db.query("SELECT 1")';
    expect(each(code, sqlLocksOf).flat().map((l) => `${l.function} ${l.operation}`)).toEqual(['pg_try_advisory_lock try-acquire', 'pg_advisory_unlock release']);
    expect(of(code)).toEqual(NONE);
  });
});
