import type ts from 'typescript';
import { enclosingFunction, followed, functionName, propertyOf } from '../syntax/expression.js';
import { normalised } from '../syntax/snake-case.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { lastSegment, textOf } from './access-orm-chain.js';
import { attributes, columnNamed, conditionsOf, conditionText, sentItem, updates } from './dynamo-command.js';
import { isLockColumn, isLockTable, lockRoleOf, type LockColumnRole } from './lock-column.js';
import type { LockRowWrite } from './lock-lease-write.js';
import { speaksOfLocks } from './lock-words.js';
import { handleOrThrowsForm } from './result-form.js';
import type { ColumnAssignment, ColumnCondition, StateWrite } from './state-access.js';

/** `client.send(new PutCommand({ .. ConditionExpression }))`, `documents.put({ .. }).promise()`: an item of a table of locks. Only conditions that are spelled in place are read. */
export function dynamoLockWrite(unit: Unit, call: ts.CallExpression): LockRowWrite | undefined {
  const { ts } = unit;
  const sent = sentItem(unit, call);
  const input = sent && followed(unit, sent.input);
  if (sent === undefined || input === undefined || !ts.isObjectLiteralExpression(input)) return undefined;
  const table = propertyOf(unit, input, 'TableName');
  if (table === undefined) return undefined;
  const target = textOf(unit, table) ?? lastSegment(unit, followed(unit, table)) ?? lastSegment(unit, table) ?? '';
  const text = conditionText(unit, input);
  const key = attributes(unit, propertyOf(unit, input, sent.verb === 'put' ? 'Item' : 'Key'));
  const set = sent.verb === 'put' ? key : sent.verb === 'update' ? updates(unit, input) : [];
  const columns = [...key, ...set].map((a) => a.column);
  const ofLocks = isLockTable(target) || columns.some((c) => isLockColumn(c)) || speaksOfLocks(functionName(unit, enclosingFunction(unit, call)).replace(/^.*\./, ''));
  // A condition on nothing makes an item, not a lock.
  if (!ofLocks || (text === undefined && sent.verb !== 'delete')) return undefined;
  const conditions = conditionsOf(unit, input, text ?? '');
  const identity = sent.verb === 'put' ? identityOf(unit, input, text ?? '', set) : key;
  const where = [...identity.map((a): ColumnCondition => ({ column: a.column, op: 'eq', values: a.value === undefined ? [] : [a.value], source: 'code', mayBeAbsent: false })), ...conditions];
  const write: StateWrite = {
    kind: 'write', node: call, layer: 'dynamodb', evidence: 'shape', target, client: termOf(unit, sent.client), where, whereOpen: false, verb: sent.verb === 'put' ? 'upsert' : sent.verb, set, setOpen: false,
    locksRows: false, result: handleOrThrowsForm(), method: sent.verb,
  };
  const roles = new Map<LockColumnRole, ColumnAssignment>();
  for (const a of set) {
    const role = roleOf(a.column);
    if (role !== undefined && !roles.has(role)) roles.set(role, a);
  }
  const guards = conditions.flatMap((condition) => {
    const role = roleOf(condition.column);
    return role === undefined ? [] : [{ role, condition }];
  });
  return { write, table: normalised(target), isLockTable: true, inserts: /attribute_not_exists/i.test(text ?? '') && sent.verb !== 'delete', set: roles, guards };
}

/** The attribute that must not exist yet is the item's key. */
function identityOf(unit: Unit, input: ts.ObjectLiteralExpression, text: string, set: readonly ColumnAssignment[]): readonly ColumnAssignment[] {
  const name = /attribute_not_exists\s*\(\s*(#?\w+)/i.exec(text)?.[1];
  const named = name === undefined ? undefined : set.find((a) => a.column === columnNamed(unit, input, name));
  const first = named ?? set.find((a) => roleOf(a.column) === undefined);
  return first === undefined ? [] : [first];
}

function roleOf(column: string): LockColumnRole | undefined {
  return lockRoleOf(column, true) ?? (/^(?:ttl|time_to_live)$/.test(normalised(column)) ? 'until' : undefined);
}
