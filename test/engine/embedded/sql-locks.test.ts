import { describe, expect, it } from 'vitest';
import { sqlLockCalls } from '../../../src/engine/embedded/sql-locks.js';

describe('sqlLockCalls', () => {
  it.each<[string, object]>([
    ['select pg_advisory_lock($1)', { operation: 'acquire', scope: 'session', shared: false, column: 'pg_advisory_lock' }],
    ['SELECT pg_try_advisory_lock(?) AS locked', { operation: 'try-acquire', scope: 'session', column: 'locked' }],
    ['SELECT pg_catalog.pg_try_advisory_lock(1, 2)::int AS "ok"', { operation: 'try-acquire', column: 'ok' }],
    ['SELECT (pg_try_advisory_lock(1)) got, 1', { column: 'got' }],
    ['SELECT 1, pg_try_advisory_xact_lock_shared(1)', { operation: 'try-acquire', scope: 'transaction', shared: true, column: 'pg_try_advisory_xact_lock_shared' }],
    ['select pg_advisory_xact_lock(hashtext($1))', { operation: 'acquire', scope: 'transaction' }],
    ['select pg_advisory_unlock($1) as ok', { operation: 'release', column: 'ok' }],
    ['SELECT pg_advisory_unlock_all()', { operation: 'release-all', args: [] }],
    ['SELECT GET_LOCK(?, 10) AS l', { function: 'get_lock', operation: 'try-acquire', scope: 'session', column: 'l' }],
    ['DO RELEASE_LOCK(\'x\')', { operation: 'release', args: [{ kind: 'literal', value: 'x' }] }],
    ['SELECT ok FROM (SELECT pg_try_advisory_lock(1) AS ok) s', { column: 'ok' }],
  ])('%s', (text, expected) => {
    expect(sqlLockCalls([text])).toHaveLength(1);
    expect(sqlLockCalls([text])[0]).toMatchObject(expected);
  });

  it.each([
    'SELECT id FROM jobs WHERE pg_try_advisory_xact_lock(id) LIMIT 1', 'SELECT * FROM pg_try_advisory_lock(1)', 'PERFORM pg_advisory_lock(1)', 'SELECT NOT pg_try_advisory_lock(1) AS busy',
    'SELECT count(pg_try_advisory_lock(1)) AS n', 'SELECT CASE WHEN pg_try_advisory_lock(1) THEN 1 ELSE 0 END AS got',
  ])('names no output in %s', (text) => {
    expect(sqlLockCalls([text])).toHaveLength(1);
    expect(sqlLockCalls([text])[0]).not.toHaveProperty('column');
  });

  it('reads arguments', () => {
    expect(sqlLockCalls(['SELECT pg_try_advisory_lock(', '::bigint) as "locked"'])[0]).toEqual({
      function: 'pg_try_advisory_lock', operation: 'try-acquire', scope: 'session', shared: false, args: [{ kind: 'hole', index: 0 }], column: 'locked',
    });
    expect(sqlLockCalls(['select pg_advisory_xact_lock(hashtext(', '), 7)'])[0]?.args).toMatchObject([{ kind: 'expression', calls: ['hashtext'], holes: [0] }, { kind: 'literal', value: 7 }]);
  });

  it('finds none in strings and comments', () => {
    expect(sqlLockCalls(['SELECT \'pg_advisory_lock(1)\' -- pg_advisory_lock(1)'])).toEqual([]);
  });
});
