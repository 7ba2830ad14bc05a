import type ts from 'typescript';
import type { Place } from '../place.js';
import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { calledFunction } from './called-function.js';
import { lockOperations } from './lock-operations.js';

/** A function of the code base that takes, renews or gives back a lock for its callers. */
export interface Wrapper {
  readonly name: string;
  readonly place: Place;
}

/** The wrappers that the calls of a file lead to, by their declaration. */
export function wrappersCalled(unit: Unit): ReadonlyMap<ts.Node, Wrapper> {
  const found = new Map<ts.Node, Wrapper>();
  for (const { node, evidence } of lockOperations(unit)) {
    const called = evidence === 'body' && unit.ts.isCallExpression(node) ? calledFunction(unit, node) : undefined;
    if (called !== undefined) found.set(called.fn, { name: functionName(called.unit, called.fn), place: called.unit.placeOf(called.fn) });
  }
  return found;
}
