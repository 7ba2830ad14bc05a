import type ts from 'typescript';
import type { LockModel, LockOperationModel, Models } from '../models.js';
import { bare, nameText } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { acquireOf, acquireOfName } from './lock-handle.js';
import { isCallOf, modelCall, namesOfCall, type ModelCall } from './model-call.js';
import { givenBack, modelledOperation } from './model-operation.js';
import type { Operation } from './operation.js';
import { Kept } from '../kept.js';

/** One operation of one model, with the name it is found by. */
export interface ModelledOperation {
  readonly model: LockModel;
  readonly op: LockOperationModel;
  readonly called: ModelCall;
}

/** A call of an API that the user modelled. What was said of it counts more than what its name or body show. */
export function toldLockCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { locks = [] } = unit.models;
  if (locks.length === 0) return undefined;
  const index = indexOf(unit.models, locks);
  for (const name of namesOfCall(unit, call)) {
    const found = index.get(name)?.find(({ model, called }) => isCallOf(unit, call, called, model.package));
    if (found !== undefined) return modelledOperation({ ...found, unit, call, api: found.called.name });
  }
  const ofHandles = [...index.values()].flat().filter(({ called }) => called.type === '');
  return ofHandles.length === 0 ? undefined : grantCall(unit, call, ofHandles);
}

/** A call of what an acquire gave, or of a method of it: the model of the acquire says which. */
export function grantCall(unit: Unit, call: ts.CallExpression, ofHandles: readonly ModelledOperation[]): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isPropertyAccessExpression(callee)) {
    const named = ofHandles.filter(({ called }) => called.name === callee.name.text);
    const from = named.length === 0 ? undefined : acquireOf(unit, callee.expression);
    const found = from && named.find(({ model }) => model.id === from.model);
    return from && found && givenBack({ ...found, unit, call, api: callee.name.text }, from, termOf(unit, bare(unit, callee.expression)));
  }
  if (!ts.isIdentifier(callee)) return undefined;
  const declaration = unit.scopes.resolve(callee)?.declaration;
  // `const { giveBack } = await take(..)` takes the method off the grant.
  const part = declaration !== undefined && ts.isBindingElement(declaration) ? nameText(unit, declaration.propertyName ?? declaration.name) : '';
  const named = ofHandles.filter(({ called }) => called.name === part);
  const from = named.length === 0 ? undefined : acquireOfName(unit, callee);
  const found = from && named.find(({ model }) => model.id === from.model);
  if (from === undefined || found === undefined) return undefined;
  const term = termOf(unit, callee);
  return givenBack({ ...found, unit, call, api: callee.text }, from, part !== '' && term.kind === 'path' ? term.base : term);
}

/** Whether a text names an operation of a user's model. */
export function namesModelled({ models }: Unit, text: string): boolean {
  return models.locks !== undefined && models.locks.length > 0 && [...indexOf(models, models.locks).keys()].some((name) => name !== '' && text.includes(name));
}

const indexes = new Kept<Models, ReadonlyMap<string, readonly ModelledOperation[]>>(true);

function indexOf(models: Models, locks: readonly LockModel[]): ReadonlyMap<string, readonly ModelledOperation[]> {
  const held = indexes.get(models);
  if (held !== undefined) return held;
  const index = new Map<string, ModelledOperation[]>();
  for (const model of locks) {
    for (const op of model.operations) {
      const called = modelCall(op.call);
      index.set(called.name, [...(index.get(called.name) ?? []), { model, op, called }]);
    }
  }
  indexes.set(models, index);
  return index;
}
