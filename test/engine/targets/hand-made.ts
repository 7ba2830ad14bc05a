import ts from 'typescript';
import type { ColumnAssignment, ColumnCondition, StateRead, StateWrite } from '../../../src/engine/operations/state-access.js';
import { countForm } from '../../../src/engine/operations/result-form.js';
import { NO_PROJECT } from '../../../src/engine/project.js';
import type { Term } from '../../../src/engine/syntax/term.js';
import { createUnits, type Unit } from '../../../src/engine/syntax/unit.js';

/** A unit of one file. */
export function unitOf(code: string): Unit {
  return createUnits(ts, NO_PROJECT).of(ts.createSourceFile('sample.ts', code, ts.ScriptTarget.Latest, true));
}

/** The call whose callee has this text. */
export function callOf(unit: Unit, callee: string): ts.CallExpression {
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && n.expression.getText() === callee) found ??= n;
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  if (found === undefined) throw new Error(`no call of ${callee}`);
  return found;
}

export function constant(value: string | null): Term {
  return { kind: 'const', value };
}

export function when(column: string, op: ColumnCondition['op'], ...values: readonly (string | Term)[]): ColumnCondition {
  return { column, op, values: values.map((v) => (typeof v === 'string' ? constant(v) : v)), source: 'code', mayBeAbsent: false };
}

export function put(column: string, value: string | Term | undefined, source: ColumnAssignment['source'] = 'code'): ColumnAssignment {
  return { column, value: typeof value === 'string' ? constant(value) : value, node: undefined, source };
}

/** An update of `step_runs` by `id`. */
export function writeAt(node: ts.CallExpression, over: Partial<StateWrite> = {}): StateWrite {
  return {
    kind: 'write', node, layer: 'pg', evidence: 'package', target: 'step_runs', client: { kind: 'symbol', name: 'db', id: 'db' }, whereOpen: false, verb: 'update', setOpen: false,
    locksRows: false, result: countForm(), method: 'query', where: [when('id', 'eq', ID)], set: [put('status', 'running')], ...over,
  };
}

export function readAt(node: ts.CallExpression, over: Partial<StateRead> = {}): StateRead {
  return {
    kind: 'read', node, layer: 'pg', evidence: 'package', target: 'step_runs', client: { kind: 'symbol', name: 'db', id: 'db' }, whereOpen: false, lock: 'none', single: true,
    where: [when('id', 'eq', ID)], ...over,
  };
}

export const ID: Term = { kind: 'symbol', name: 'id', id: 'id' };
