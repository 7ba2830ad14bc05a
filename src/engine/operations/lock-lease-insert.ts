import type ts from 'typescript';
import { bare, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { patchOf } from './access-orm-assign.js';
import { chainOf, clientTerm, lastSegment, objectOf, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { isLockTable, lockRoleOf } from './lock-column.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateWrite } from './state-access.js';

/**
 * `locks.insertOne({ _id: name, owner, expiresAt })` and its kin in other libraries: the unique key of a table of locks refuses the second worker by an exception. An insert
 * that says neither who nor until when is a row of another kind.
 */
export function insertedLockRow(unit: Unit, call: ts.CallExpression): StateWrite | undefined {
  const chain = chainOf(unit, call);
  const found = chain && insertOf(chain);
  if (chain === undefined || found?.target === undefined || !isLockTable(found.target)) return undefined;
  const { set, open } = patchOf(unit, found.row);
  if (!set.some((a) => /^(?:owner|until)$/.test(lockRoleOf(a.column, true) ?? ''))) return undefined;
  return {
    kind: 'write', node: call, layer: 'structural', evidence: 'shape', target: found.target, client: clientTerm(unit, found.client), where: [], whereOpen: false, verb: 'upsert', set,
    setOpen: open, locksRows: false, result: handleOrThrowsForm(), method: chain.last.name,
  };
}

interface Insert { readonly target: string | undefined; readonly row: ts.Expression; readonly client: ts.Expression | undefined }

function insertOf({ unit, steps }: Chain): Insert | undefined {
  // What does something else with a row that is there is no refusal.
  if (steps.some((s) => /^(?:onConflict\w*|onDuplicate\w*|merge|ignore|orUpdate|orIgnore|upsert)$/.test(s.name))) return undefined;
  for (const [i, step] of steps.entries()) {
    const row = rowOf(unit, step);
    if (row === undefined) continue;
    const before = steps[i - 1];
    if (step.name === 'values') return before === undefined ? undefined : { target: tableOf(unit, before), row, client: before.receiver };
    // `db.collection('locks').insertOne(..)`, `knex('locks').insert(..)`
    if (before !== undefined) return { target: tableOf(unit, before), row, client: before.receiver ?? step.receiver };
    return { target: lastSegment(unit, step.receiver), row, client: step.receiver };
  }
  return undefined;
}

/** The object literal that becomes the row. */
function rowOf(unit: Unit, step: ChainStep): ts.Expression | undefined {
  if (!/^(?:insertOne|create|insert|values)$/.test(step.name) || step.receiver === undefined) return undefined;
  const [first] = step.args;
  const object = first === undefined || unit.ts.isSpreadElement(first) ? undefined : objectOf(unit, first);
  return object && (propertyOf(unit, object, 'data') ?? object);
}

function tableOf(unit: Unit, step: ChainStep): string | undefined {
  const [first] = step.args;
  if (first === undefined || unit.ts.isSpreadElement(first)) return undefined;
  return textOf(unit, first) ?? lastSegment(unit, bare(unit, first));
}
