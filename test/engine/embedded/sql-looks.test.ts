import { expect, it } from 'vitest';
import { looksLikeSql } from '../../../src/engine/embedded/sql-looks.js';

it.each([
  'UPDATE jobs SET status = $1', 'update "public"."jobs" as j set a=1', 'UPDATE ${t} SET ${x}', 'UPDATE  SET ', 'UPDATE ? SET ? WHERE id = ?', '\n  update jobs\n  set status = \'x\'', 'UPDATE OR IGNORE t SET a = 1',
  'UPDATE a JOIN b ON b.id = a.id SET a.x = 1', 'INSERT INTO t (a) VALUES (1)', 'insert into t select 1', 'INSERT OR IGNORE INTO t VALUES (1)', 'INSERT INTO jobs ?', 'REPLACE INTO t (a) VALUES (1)',
  'INSERT INTO unit_events(unit_id, name) VALUES ($1)', 'DELETE FROM t WHERE id = 1', 'delete from jobs', 'DELETE FROM job_locks WHERE name = $1 AND owner = $2', 'DELETE FROM jobs j USING x', 'SELECT * FROM jobs', 'select id, name from jobs where a = 1',
  'SELECT id FROM jobs', 'select pg_advisory_lock(1)', 'SELECT 1', 'SELECT seats_left AS left FROM events WHERE id = $1', 'SELECT j.id job_id, j.a FROM jobs j', '(SELECT 1)', '-- claim\nSELECT id FROM jobs',
  '/* x */ SELECT id FROM jobs', 'WITH c AS (SELECT 1) UPDATE t SET a = 1', 'with c (id) as materialized (select 1) select 1', 'BEGIN', 'begin immediate', 'BEGIN;', 'START TRANSACTION', 'COMMIT', 'rollback',
  'ROLLBACK TO SAVEPOINT x', 'SAVEPOINT x', 'SET TRANSACTION ISOLATION LEVEL SERIALIZABLE', 'LOCK TABLE jobs IN EXCLUSIVE MODE', 'CALL claim_job(1)', 'MERGE INTO t USING s ON a = b',
  'Select id, name From jobs Where id = 1', 'select a from t', 'select a, b from t', 'UPDATE jobs SET ${fields} WHERE id = 1', 'select ${cols} from jobs', 'SELECT  FROM jobs',
])('is SQL: %s', (text) => {
  expect(looksLikeSql(text)).toBe(true);
});

it.each([
  '', 'hello', 'Update the status', 'Update the set of jobs', 'update your settings', 'Select an option', 'select an option from the list', 'Select items from the menu', 'Select one', 'selected', 'Insert into the table',
  'Delete from cart', 'Delete the job from the list', 'delete from the list', 'With love', 'with x as y', 'Begin', 'Begin the work', 'Commit your changes', 'Lock tables before use', 'Call me',
  'Rollback failed', 'Insert a coin', 'updateJobStatus', 'Select all rows from this table now', 'Update available', 'withdraw', 'calling', 'settings',
])('is no SQL: %s', (text) => {
  expect(looksLikeSql(text)).toBe(false);
});

it.each(['update ', 'select a, ', 'insert into a', 'with a (', '/* ', '-- \n', ' ', '('])('ends on a flood of %j', (piece) => {
  for (const text of [piece, `update ${piece}`, `select ${piece}`]) expect(typeof looksLikeSql(text.repeat(50_000))).toBe('boolean');
});
