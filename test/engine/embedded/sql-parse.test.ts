import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSql } from '../../../src/engine/embedded/sql-parse.js';
import { sqlLockCalls } from '../../../src/engine/embedded/sql-locks.js';
import type { SqlCondition, SqlDelete, SqlInsert, SqlSelect, SqlStatement, SqlUpdate } from '../../../src/engine/embedded/sql-types.js';

function one(...parts: readonly string[]): SqlStatement {
  const statements = parseSql(parts);
  expect(statements).toHaveLength(1);
  return statements[0] ?? { type: 'other', text: '' };
}

function typed<T extends SqlStatement['type']>(type: T, parts: readonly string[]): Extract<SqlStatement, { type: T }> {
  const statement = one(...parts);
  expect(statement.type).toBe(type);
  return statement as Extract<SqlStatement, { type: T }>; // the assertion above is the reason
}

const update = (...parts: readonly string[]): SqlUpdate => typed('update', parts);
const insert = (...parts: readonly string[]): SqlInsert => typed('insert', parts);
const remove = (...parts: readonly string[]): SqlDelete => typed('delete', parts);
const select = (...parts: readonly string[]): SqlSelect => typed('select', parts);
const where = (...parts: readonly string[]): SqlCondition | undefined => {
  const [first = '', ...rest] = parts;
  return select(`SELECT 1 FROM t WHERE ${first}`, ...rest).where;
};
const literal = (value: string | number | boolean | null): object => ({ kind: 'literal', value });
const compare = (column: string, op: string, ...values: readonly object[]): object => ({ kind: 'compare', column, op, values });
const hole = (index: number): object => ({ kind: 'hole', index });
const opaque = (index: number): object => ({ kind: 'opaque', text: `{hole:${String(index)}}`, holes: [index] });

describe('UPDATE', () => {
  it('reads a guarded write', () => {
    expect(update('UPDATE unit_runs SET state = \'running\' WHERE id = $1 AND state = \'queued\'')).toEqual({
      type: 'update', table: 'unit_runs', set: [{ column: 'state', value: literal('running') }], setOpen: false, from: [], returning: false, ctes: [],
      where: { kind: 'and', items: [compare('id', '=', { kind: 'param', name: '$1', index: 0 }), compare('state', '=', literal('queued'))] },
    });
  });

  it('reads alias, schema, quotes, casts, comments and RETURNING', () => {
    const statement = update('/* a */ update "public"."Jobs" AS j -- where\n set "status" = \'it\'\'s\'::text, n = n + 1, at = now() from c where j.id = c.id::uuid returning *');
    expect(statement).toMatchObject({ table: 'Jobs', alias: 'j', from: ['c'], returning: true, setOpen: false });
    expect(statement.set[0]).toEqual({ column: 'status', value: literal('it\'s') });
    expect(statement.set[1]?.value).toMatchObject({ kind: 'expression', text: 'n + 1', columns: ['n'], literals: [1] });
    expect(statement.set[2]?.value).toMatchObject({ kind: 'expression', calls: ['now'], columns: [] });
    expect(statement.where).toEqual({ kind: 'compare', column: 'id', table: 'j', op: '=', values: [{ kind: 'column', name: 'id', table: 'c' }] });
  });

  it('reads backticks and double-quoted strings of MySQL', () => {
    const statement = update('UPDATE `db`.`jobs` SET `status` = "done" WHERE `id` = ? AND status = ?');
    expect(statement).toMatchObject({ table: 'jobs', set: [{ column: 'status', value: literal('done') }] });
    expect(statement.where).toEqual({ kind: 'and', items: [compare('id', '=', { kind: 'param', name: '?', index: 0 }), compare('status', '=', { kind: 'param', name: '?', index: 1 })] });
  });

  it('reads bracketed names', () => {
    expect(update('UPDATE [dbo].[jobs] SET [state] = @state WHERE [id] = :id')).toMatchObject({
      table: 'jobs', set: [{ column: 'state', value: { kind: 'param', name: 'state' } }], where: compare('id', '=', { kind: 'param', name: 'id' }),
    });
  });

  it('keeps holes', () => {
    expect(update('UPDATE ', ' SET ', ' WHERE ', '')).toMatchObject({ table: '{hole:0}', set: [], setOpen: true, where: opaque(2) });
    expect(update('UPDATE jobs SET status = ', ', ', ' WHERE id = ', ' AND ', '')).toMatchObject({
      set: [{ column: 'status', value: hole(0) }], setOpen: true, where: { kind: 'and', items: [compare('id', '=', hole(2)), opaque(3)] },
    });
    expect(update('UPDATE ', '.jobs SET a = \'', '\' WHERE id = $', ' ', '')).toMatchObject({
      table: 'jobs', set: [{ column: 'a', value: hole(1) }], where: { kind: 'and', items: [compare('id', '=', { kind: 'param', name: '{hole:2}' }), opaque(3)] },
    });
    expect(update('UPDATE jobs_', ' SET a = 1 ', '')).toMatchObject({ table: 'jobs_{hole:0}', setOpen: true, where: opaque(1) });
    expect(update('UPDATE "', '" SET a = 1 -- ', '\n WHERE b = ', '')).toMatchObject({ table: '{hole:0}', where: compare('b', '=', hole(2)) });
    expect(update('UPDATE jobs SET a = 1 WHERE b = 2', '')).toMatchObject({ where: { kind: 'and', items: [compare('b', '=', literal(2)), opaque(0)] } });
    expect(update('UPDATE jobs SET ? WHERE ?? = ?')).toMatchObject({ set: [], setOpen: true, where: compare('??', '=', { kind: 'param', name: '?', index: 2 }) });
  });

  it('reads row assignments and CASE', () => {
    expect(update('UPDATE t SET (a, b) = ($1, \'x\') WHERE c').set).toEqual([{ column: 'a', value: { kind: 'param', name: '$1', index: 0 } }, { column: 'b', value: literal('x') }]);
    const [item] = update('UPDATE t SET status = CASE WHEN status = \'running\' AND x THEN \'done\' ELSE status END WHERE id = 1').set;
    expect(item?.value).toMatchObject({ kind: 'expression', columns: ['status', 'x'], literals: ['running', 'done'] });
  });

  it('reads joins', () => {
    expect(update('UPDATE jobs j JOIN runs r ON r.job = j.id SET j.state = 1 WHERE r.id = 2')).toMatchObject({ table: 'jobs', alias: 'j', from: ['runs'] });
    expect(update('UPDATE j SET state = 1 FROM jobs j JOIN runs r ON r.job = j.id')).toMatchObject({ table: 'jobs', alias: 'j', from: ['runs'] });
  });

  it('reads a derived table like a CTE', () => {
    const statement = update('UPDATE jobs SET a = 1 FROM (SELECT id FROM jobs FOR UPDATE SKIP LOCKED) AS c WHERE c.id = jobs.id');
    expect(statement).toMatchObject({ from: ['c'], ctes: [{ name: 'c', statement: { type: 'select', lock: { mode: 'update', wait: 'skip locked' } } }] });
  });
});

describe('conditions', () => {
  it.each<[string, object]>([
    ['a != 1', compare('a', '<>', literal(1))],
    ['1 < a', compare('a', '>', literal(1))],
    ['a IS NULL', compare('a', 'is null')],
    ['a IS NOT NULL', compare('a', 'is not null')],
    ['a IS DISTINCT FROM 1', compare('a', '<>', literal(1))],
    ['a IS NOT DISTINCT FROM 1', compare('a', '=', literal(1))],
    ['a IN (\'x\', \'y\')', compare('a', 'in', literal('x'), literal('y'))],
    ['a NOT IN (1)', compare('a', 'not in', literal(1))],
    ['a = ANY($1::text[])', compare('a', 'in', { kind: 'param', name: '$1', index: 0 })],
    ['a = ANY(ARRAY[\'x\', \'y\']::text[])', compare('a', 'in', literal('x'), literal('y'))],
    ['a <> ALL(\'{x,y}\')', compare('a', 'not in', literal('x'), literal('y'))],
    ['a BETWEEN 1 AND 2', { kind: 'and', items: [compare('a', '>=', literal(1)), compare('a', '<=', literal(2))] }],
    ['a LIKE \'x%\'', compare('a', 'like', literal('x%'))],
    ['a NOT LIKE \'x%\'', { kind: 'not', item: compare('a', 'like', literal('x%')) }],
    ['NOT (a = 1)', compare('a', '<>', literal(1))],
    ['NOT (a = 1 OR b IN (2))', { kind: 'and', items: [compare('a', '<>', literal(1)), compare('b', 'not in', literal(2))] }],
    ['locked', compare('locked', '=', literal(true))],
    ['NOT locked', compare('locked', '=', literal(false))],
    ['(a = 1 OR b = 2) AND c = 3', { kind: 'and', items: [{ kind: 'or', items: [compare('a', '=', literal(1)), compare('b', '=', literal(2))] }, compare('c', '=', literal(3))] }],
    ['CAST(a AS text) = \'x\'', compare('a', '=', literal('x'))],
    ['lower(a) = \'x\'', compare('a', '=', literal('x'))],
    ['(a, b) = (1, 2)', { kind: 'and', items: [compare('a', '=', literal(1)), compare('b', '=', literal(2))] }],
    ['1 = 1', { kind: 'and', items: [] }],
    ['a = -1', compare('a', '=', literal(-1))],
    ['a = true', compare('a', '=', literal(true))],
    ['(a, b) < (1, 2)', { kind: 'opaque', text: '(a, b) < (1, 2)', holes: [] }],
  ])('%s', (text, expected) => {
    expect(where(text)).toEqual(expected);
  });

  it('compares with time', () => {
    expect(where('(locked_until IS NULL OR locked_until < now())')).toMatchObject({ kind: 'or', items: [{ op: 'is null' }, { op: '<', values: [{ calls: ['now'] }] }] });
    expect(where('now() > locked_at + interval \'5 minutes\'')).toMatchObject({ column: 'locked_at', op: '<' });
    expect(where('now() - locked_at > interval \'5 minutes\'')).toMatchObject({ column: 'locked_at', op: 'other' });
    expect(where('at < CURRENT_TIMESTAMP - INTERVAL ? SECOND')).toMatchObject({ column: 'at', op: '<', values: [{ columns: [], calls: ['current_timestamp'] }] });
  });

  it('keeps holes as values, lists and conditions', () => {
    expect(where('a = ', ' AND b IN (', ') AND c IN ', ' ', '')).toEqual({
      kind: 'and', items: [compare('a', '=', hole(0)), compare('b', 'in', hole(1)), compare('c', 'in', hole(2)), opaque(3)],
    });
    expect(where('', ' = ', '')).toEqual(compare('{hole:0}', '=', hole(1)));
    expect(where('NOT ', '')).toEqual({ kind: 'not', item: opaque(0) });
    expect(where('', ' AND a = 1')).toEqual({ kind: 'and', items: [opaque(0), compare('a', '=', literal(1))] });
    expect(where('a IS ', '')).toMatchObject({ kind: 'opaque', holes: [0] });
  });

  it('reads subqueries', () => {
    expect(where('id = (SELECT id FROM jobs WHERE s = 1 LIMIT 1 FOR NO KEY UPDATE)')).toMatchObject({
      column: 'id', op: '=', values: [{ kind: 'subquery', select: { from: ['jobs'], lock: { mode: 'no key update', wait: 'wait' }, limit: literal(1) } }],
    });
    expect(where('id IN (SELECT id FROM jobs)')).toMatchObject({ op: 'in', values: [{ kind: 'subquery' }] });
    expect(where('NOT EXISTS (SELECT 1 FROM x)')).toMatchObject({ kind: 'not', item: { kind: 'exists', select: { from: ['x'] } } });
  });
});

describe('SELECT', () => {
  it.each<[string, object]>([
    ['FOR UPDATE', { mode: 'update', wait: 'wait' }],
    ['FOR UPDATE OF t SKIP LOCKED', { mode: 'update', wait: 'skip locked' }],
    ['FOR UPDATE NOWAIT', { mode: 'update', wait: 'nowait' }],
    ['FOR SHARE', { mode: 'share', wait: 'wait' }],
    ['FOR KEY SHARE', { mode: 'key share', wait: 'wait' }],
    ['LOCK IN SHARE MODE', { mode: 'share', wait: 'wait' }],
    ['ORDER BY a LIMIT 1 FOR UPDATE SKIP LOCKED', { mode: 'update', wait: 'skip locked' }],
  ])('reads %s', (tail, lock) => {
    expect(select(`SELECT * FROM jobs t WHERE id = $1 ${tail}`)).toMatchObject({ lock, from: ['jobs'], where: { column: 'id' } });
  });

  it('reads hints of SQL Server', () => {
    expect(select('SELECT TOP 1 id FROM jobs WITH (UPDLOCK, READPAST) WHERE a = 1')).toMatchObject({ lock: { mode: 'update', wait: 'skip locked' }, columns: [{ name: 'id' }] });
  });

  it('names outputs', () => {
    const { columns, from } = select('SELECT DISTINCT a, j.b AS "savedIds", count(*) n, pg_catalog.now(), j.*, 1, left AS left FROM events e, jobs j LEFT JOIN x ON x.id = j.id, unnest($1) u');
    expect(columns.map((column) => column.name)).toEqual(['a', 'savedIds', 'n', 'now', '*', '?column?', 'left']);
    expect(from).toEqual(['events', 'jobs', 'x']);
  });

  it('leaves open what a hole may add', () => {
    expect(select('SELECT * FROM jobs ', '').where).toEqual(opaque(0));
    expect(select('SELECT * FROM jobs WHERE a = 1 LIMIT 1 ', '').openTail).toEqual([0]);
    expect(select('SELECT * FROM jobs WHERE a = 1 LIMIT ', '')).toMatchObject({ openTail: [], limit: hole(0) });
  });

  it('treats the first arm of a UNION as one of two', () => {
    expect(select('SELECT a FROM t WHERE a = 1 UNION SELECT a FROM u').where).toMatchObject({ kind: 'or', items: [{ column: 'a' }, { kind: 'opaque' }] });
  });
});

describe('INSERT', () => {
  it('reads DO NOTHING', () => {
    expect(insert('INSERT INTO queue_lock (name, owner) VALUES ($1, ', ') ON CONFLICT (name) DO NOTHING RETURNING name')).toMatchObject({
      table: 'queue_lock', columns: ['name', 'owner'], values: [{ kind: 'param', index: 0 }, hole(0)], onConflict: { action: 'nothing' }, returning: true,
    });
  });

  it('reads DO UPDATE with a guard', () => {
    expect(insert(`INSERT INTO queue_lock AS q (name, owner, expires_at) VALUES ('d', $1, now() + interval '1 minute')
      ON CONFLICT (name) DO UPDATE SET owner = EXCLUDED.owner, expires_at = excluded.expires_at WHERE q.expires_at < now() RETURNING owner`)).toMatchObject({
      onConflict: {
        action: 'update', target: ['name'], setOpen: false, set: [{ column: 'owner', value: { kind: 'expression', text: 'EXCLUDED.owner' } }, { column: 'expires_at' }],
        where: { kind: 'compare', table: 'q', column: 'expires_at', op: '<' },
      },
    });
  });

  it.each<[string, object]>([
    ['INSERT OR IGNORE INTO t (a) VALUES (1)', { action: 'nothing' }],
    ['INSERT IGNORE INTO t (a) VALUES (1)', { action: 'nothing' }],
    ['INSERT OR REPLACE INTO t (a) VALUES (1)', { action: 'update', target: [], set: [{ column: 'a', value: literal(1) }], setOpen: false }],
    ['REPLACE INTO t (a) VALUES (1)', { action: 'update', target: [], set: [{ column: 'a', value: literal(1) }], setOpen: false }],
    ['INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = VALUES(a)', { action: 'update', target: [], set: [{ column: 'a', value: { kind: 'expression', text: 'VALUES(a)' } }] }],
    ['INSERT INTO t (a) VALUES (1) ON CONFLICT ON CONSTRAINT x DO UPDATE SET a = 2', { action: 'update', target: [], set: [{ column: 'a', value: literal(2) }] }],
  ])('%s', (text, onConflict) => {
    expect(insert(text)).toMatchObject({ table: 't', columns: ['a'], values: [literal(1)], onConflict });
  });

  it('reads SELECT, SET and helper holes', () => {
    expect(insert('INSERT INTO t (a) SELECT x FROM u JOIN v ON v.id = u.id WHERE b = 1 ON CONFLICT DO NOTHING')).toMatchObject({
      select: { from: ['u', 'v'], where: { column: 'b' } }, onConflict: { action: 'nothing' },
    });
    expect(insert('INSERT INTO t SET a = 1, b = ?')).toMatchObject({ columns: ['a', 'b'], values: [literal(1), { kind: 'param' }] });
    expect(insert('INSERT INTO t ', ' ON CONFLICT (a) DO UPDATE SET ', '')).toMatchObject({ values: [hole(0)], onConflict: { action: 'update', setOpen: true } });
    expect(insert('INSERT INTO t (a) VALUES (1) ', '').openTail).toEqual([0]);
  });
});

describe('other statements', () => {
  it('reads DELETE', () => {
    expect(remove('DELETE FROM queue_lock WHERE name = \'d\' AND owner = $1')).toMatchObject({ table: 'queue_lock', where: { kind: 'and' }, returning: false });
    expect(remove('DELETE FROM jobs USING runs r WHERE r.id = jobs.run RETURNING *')).toMatchObject({ table: 'jobs', returning: true });
    expect(remove('DELETE FROM jobs ', '').where).toEqual(opaque(0));
    expect(remove('DELETE FROM jobs').where).toBeUndefined();
  });

  it('reads CTEs', () => {
    const statement = update('WITH RECURSIVE c (id) AS MATERIALIZED (SELECT id FROM jobs FOR UPDATE), d AS (DELETE FROM x) UPDATE jobs SET s = 1 FROM c WHERE jobs.id = c.id');
    expect(statement.ctes).toMatchObject([{ name: 'c', statement: { type: 'select', lock: { mode: 'update' } } }, { name: 'd', statement: { type: 'delete', table: 'x' } }]);
    expect(select('WITH c AS (UPDATE jobs SET a = 1 WHERE b = 2 RETURNING id) SELECT * FROM c').ctes).toMatchObject([{ name: 'c', statement: { type: 'update' } }]);
  });

  it.each<[string, object]>([
    ['BEGIN', { type: 'begin' }],
    ['BEGIN IMMEDIATE', { type: 'begin', immediate: true }],
    ['BEGIN ISOLATION LEVEL SERIALIZABLE', { type: 'begin', isolation: 'serializable' }],
    ['start transaction isolation level repeatable read', { type: 'begin', isolation: 'repeatable read' }],
    ['COMMIT', { type: 'commit' }],
    ['ROLLBACK', { type: 'rollback' }],
    ['ROLLBACK TO SAVEPOINT a', { type: 'savepoint' }],
    ['SAVEPOINT a', { type: 'savepoint' }],
    ['SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', { type: 'set-transaction', isolation: 'serializable' }],
    ['SET statement_timeout = 5', { type: 'other', text: 'SET statement_timeout = 5' }],
    ['LOCK TABLE jobs IN EXCLUSIVE MODE', { type: 'other', text: 'LOCK TABLE jobs IN EXCLUSIVE MODE' }],
  ])('%s', (text, expected) => {
    expect(one(text)).toEqual(expected);
  });

  it('splits statements', () => {
    expect(parseSql(['BEGIN; UPDATE t SET a = \';\' WHERE b = 1; COMMIT;']).map((statement) => statement.type)).toEqual(['begin', 'update', 'commit']);
    expect(parseSql([''])).toEqual([]);
    expect(parseSql([])).toEqual([]);
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    'UPDATE ', 'SET ', 'WHERE ', 'a ', '= ', '\'x\' ', '(', ')', ',', 'SELECT ', 'FROM ', 'AND ', 'OR ', 'NOT ', 'IN ', 'IS ', 'NULL ', 'BETWEEN ', 'CASE ', 'END ', 'WITH ', 'AS ',
    'INSERT INTO ', 'VALUES ', 'ON CONFLICT ', 'DO UPDATE ', 'DELETE ', '::int ', '$1 ', '? ', ':x ', '@x ', '"', '`', '[', ']', '$$', '--', '/*', '.', ';', 'ANY ', 'EXISTS ', 'JOIN ',
    'ON ', 'FOR UPDATE ', 'pg_advisory_lock(', '\0', '\n', 'RETURNING ', 'DISTINCT ', '*', '1 ',
  );
  const text = fc.oneof(fc.string(), fc.array(pieces, { maxLength: 50 }).map((list) => list.join('')));

  it('never throws', () => {
    fc.assert(fc.property(fc.array(text, { maxLength: 4 }), (parts) => {
      expect(parseSql(parts)).toBeInstanceOf(Array);
      expect(sqlLockCalls(parts)).toBeInstanceOf(Array);
    }), { numRuns: 3000 });
  });

  it.each(['(', '((SELECT ', 'NOT ', 'a = (SELECT ', 'CASE ', '\'', '"', '[', '[a', '/*', '$a$', 'E\'\\', 'WITH a AS (', 'FROM (', 'a AND ', 'a OR (', 'pg_advisory_lock(', ',', 'f(', '::a', ';', 'ON a JOIN b '])(
    'ends on a flood of %j', (piece) => {
      const flood = `UPDATE t SET a = 1 WHERE ${piece.repeat(20_000)}`;
      expect(parseSql([flood, piece.repeat(5000)])).toBeInstanceOf(Array);
      expect(sqlLockCalls([flood])).toBeInstanceOf(Array);
    },
  );
});
