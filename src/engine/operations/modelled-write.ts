import type ts from 'typescript';
import type { StateWriteModel } from '../models.js';
import { calleeOf } from '../syntax/declared-type.js';
import { followed } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { isCallOf, modelCall, namesOfCall } from './model-call.js';
import { modelledForm } from './model-result.js';
import { receiverTerm, slotTermAt, slotValueAt } from './model-slots.js';
import { UNKNOWN_FORM, type ResultForm } from './result-form.js';
import type { ColumnAssignment, ColumnCondition, StateWrite } from './state-access.js';
import { speaksOf } from './tagged-member.js';
import { taggedWrites, type TaggedWrite } from './tagged-writes.js';

/** A call of a function or method that the user modelled, or tagged with `@stepTransition`, as the write it is. */
export function modelledWrite(unit: Unit, call: ts.CallExpression): StateWrite | undefined {
  const { writes = [] } = unit.models;
  const tagged = taggedWrites(unit);
  if (writes.length === 0 && tagged.size === 0) return undefined;
  const names = namesOfCall(unit, call);
  const model = writes.find((w) => names.includes(modelCall(w.call).name) && isCallOf(unit, call, modelCall(w.call), w.package));
  if (model !== undefined) return writeOf(unit, call, model, UNKNOWN_FORM);
  const told = taggedAt(unit, call, names.flatMap((n) => tagged.get(n) ?? []));
  return told && writeOf(unit, call, told.model, told.declared);
}

function taggedAt(unit: Unit, call: ts.CallExpression, candidates: readonly TaggedWrite[]): TaggedWrite | undefined {
  const callee = candidates.length === 0 ? undefined : calleeOf(unit, call);
  return callee && candidates.find(({ fn }) => speaksOf(fn, callee.signature));
}

/** The column that is meant: a model speaks of states, not of columns. */
const COLUMN = 'status';

function writeOf(unit: Unit, call: ts.CallExpression, model: StateWriteModel, declared: ResultForm): StateWrite | undefined {
  const id = slotTermAt(unit, call, model.id);
  if (id === undefined) return undefined;
  const from = conditionOf(unit, call, model.from);
  const owner = slotTermAt(unit, call, model.owner);
  const where: ColumnCondition[] = [
    { column: 'id', op: 'eq', values: [id], source: 'code', mayBeAbsent: false },
    ...(from === undefined ? [] : [from]),
    ...(owner === undefined ? [] : [{ column: 'owner', op: 'eq' as const, values: [owner], source: 'code' as const, mayBeAbsent: false }]),
  ];
  const receiver = receiverTerm(unit, call);
  return {
    kind: 'write', node: call, layer: 'model', evidence: 'package', target: model.target ?? nameOfReceiver(unit, call), client: receiver, verb: from === undefined && model.from === undefined ? 'verb' : 'transition',
    where, whereOpen: false, set: assigned(unit, call, model), setOpen: true, locksRows: false, result: model.result === undefined ? declared : modelledForm(model.result), method: namesOfCall(unit, call)[0] ?? '', told: true,
  };
}

function conditionOf(unit: Unit, call: ts.CallExpression, from: string | undefined): ColumnCondition | undefined {
  const value = from === undefined ? undefined : slotValueAt(unit, call, from);
  if (value === undefined || value === 'missing') return undefined;
  const list = value.node && followed(unit, value.node);
  if (list !== undefined && unit.ts.isArrayLiteralExpression(list)) return { column: COLUMN, op: 'in', values: list.elements.map((e) => termOf(unit, e)), source: 'code', mayBeAbsent: false };
  return { column: COLUMN, op: 'eq', values: [value.term], source: 'code', mayBeAbsent: false };
}

function assigned(unit: Unit, call: ts.CallExpression, { to }: StateWriteModel): readonly ColumnAssignment[] {
  if (to === undefined) return [];
  if (typeof to === 'object') return [{ column: COLUMN, value: { kind: 'const', value: to.state }, node: undefined, source: 'code' }];
  const value = slotValueAt(unit, call, to);
  return [{ column: COLUMN, source: 'code', ...(value === undefined || value === 'missing' ? { value: undefined, node: undefined } : { value: value.term, node: value.node }) }];
}

/** `steps` of `this.steps.move(..)`. */
function nameOfReceiver({ ts, file }: Unit, call: ts.CallExpression): string | undefined {
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  return /[\w$]+$/.exec(callee.expression.getText(file))?.[0];
}
