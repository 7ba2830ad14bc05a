import { describe, expect, it } from 'vitest';
import { conditionColumns, hasOpaque, outerCompares, rowLockedSubselect } from '../../../src/engine/embedded/sql-condition-facts.js';
import { parseSql } from '../../../src/engine/embedded/sql-parse.js';
import type { SqlCondition, SqlStatement } from '../../../src/engine/embedded/sql-types.js';

function condition(...parts: readonly string[]): SqlCondition | undefined {
  const [first = '', ...rest] = parts;
  const [statement] = parseSql([`DELETE FROM t WHERE ${first}`, ...rest]);
  return statement?.type === 'delete' ? statement.where : undefined;
}

function statement(text: string): SqlStatement {
  return parseSql([text])[0] ?? { type: 'other', text };
}

const brief = (...parts: readonly string[]): readonly string[] => outerCompares(condition(...parts)).map((item) => `${item.under}: ${item.column} ${item.op}`);

describe('outerCompares', () => {
  it.each([
    ['id = 1 AND status = \'x\'', ['and: id =', 'and: status =']],
    ['id = 1 AND (status = \'x\' OR locked_at IS NULL)', ['and: id =', 'or: status =', 'or: locked_at is null']],
    ['status = \'a\' OR status IN (\'b\', \'c\')', ['and: status in']],
    ['NOT (status = \'done\')', ['and: status <>']],
    ['NOT (status IN (\'done\', \'failed\'))', ['and: status not in']],
    ['NOT (status = \'done\' OR status = \'failed\')', ['and: status <>', 'and: status <>']],
    ['NOT (a LIKE \'x\')', ['not: a like']],
    ['id = (SELECT id FROM t WHERE status = \'pending\')', ['and: id =']],
  ])('%s', (text, expected) => {
    expect(brief(text)).toEqual(expected);
  });

  it('merges the values of an OR over one column', () => {
    expect(outerCompares(condition('s = 1 OR s = 2'))[0]?.values).toEqual([{ kind: 'literal', value: 1 }, { kind: 'literal', value: 2 }]);
  });
});

it('lists the columns of the row only', () => {
  expect(conditionColumns(condition('a = 1 AND b < lower(c) AND d IN (SELECT e FROM u WHERE f = 1)'))).toEqual(['a', 'b', 'c', 'd']);
  expect(conditionColumns(undefined)).toEqual([]);
});

it('tells whether a guard may hide', () => {
  expect(hasOpaque(condition('a = 1 AND ', ''))).toBe(true);
  expect(hasOpaque(condition('NOT (a = 1 OR ', ')'))).toBe(true);
  expect(hasOpaque(condition('a = 1 AND 1 = 1 AND b = ', ''))).toBe(false);
});

/** The statements of `durable-writes.md` 4, with whether the guard sits in a row-locked query. */
describe('rowLockedSubselect', () => {
  it.each([
    ['UPDATE j SET status = \'running\' WHERE id = \'a\' AND status = \'pending\'', false],
    ['UPDATE j SET status = \'running\' WHERE id = (SELECT id FROM j WHERE status = \'pending\' LIMIT 1)', false],
    ['UPDATE j SET status = \'running\' WHERE id = (SELECT id FROM j WHERE status = \'pending\' LIMIT 1 FOR UPDATE)', true],
    ['UPDATE j SET status = \'running\' WHERE id IN (SELECT id FROM j WHERE status = \'pending\' LIMIT 1 FOR UPDATE SKIP LOCKED)', true],
    ['WITH c AS (SELECT id FROM j WHERE status = \'pending\' FOR UPDATE SKIP LOCKED) UPDATE j SET status = \'running\' FROM c WHERE j.id = c.id', true],
    ['WITH c AS (SELECT id FROM j WHERE status = \'pending\' FOR UPDATE) UPDATE j SET status = \'running\' WHERE id IN (SELECT id FROM c)', true],
    ['WITH c AS (SELECT id FROM j WHERE status = \'pending\') UPDATE j SET status = \'running\' FROM c WHERE j.id = c.id', false],
    ['UPDATE j SET s = 1 FROM (SELECT id FROM j WHERE s = 0 FOR UPDATE) x WHERE x.id = j.id', true],
    ['UPDATE j SET s = 1 WHERE id IN (SELECT id FROM (SELECT id FROM j FOR UPDATE SKIP LOCKED) x)', true],
    ['UPDATE j SET s = 1 WHERE id = (SELECT id FROM j FOR SHARE)', false],
    ['UPDATE j SET s = 1 WHERE id = 1 OR id = (SELECT id FROM j FOR UPDATE)', false],
    ['WITH c AS (SELECT id FROM d), d AS (SELECT id FROM c) UPDATE j SET s = 1 FROM c', false],
    ['INSERT INTO j (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET status = excluded.status', false],
  ])('%s: %s', (text, expected) => {
    expect(rowLockedSubselect(statement(text))).toBe(expected);
  });

  it('keeps the outer guard beside the subselect', () => {
    expect(brief('id = (SELECT id FROM j WHERE status = \'pending\' LIMIT 1) AND status = \'pending\'')).toEqual(['and: id =', 'and: status =']);
  });

  it('reads the other statements of the reference', () => {
    expect(brief('status NOT IN (\'done\',\'failed\')')).toEqual(['and: status not in']);
    expect(brief('state < \'completed\'')).toEqual(['and: state <']);
    expect(brief('locked_at IS NULL AND locked_by = ', ' AND lease_expires_at < now()')).toEqual(['and: locked_at is null', 'and: locked_by =', 'and: lease_expires_at <']);
    expect(hasOpaque(condition('', ''))).toBe(true);
    expect(statement('INSERT INTO t (id, status) VALUES (1, \'x\') ON CONFLICT (id) DO UPDATE SET status = \'x\' WHERE t.status=\'pending\'')).toMatchObject({
      onConflict: { action: 'update', where: { kind: 'compare', table: 't', column: 'status', op: '=' } },
    });
  });
});
