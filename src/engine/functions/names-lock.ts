import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import { resultNames } from '../flow/result-names.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** Tells arguments that hand over what the acquires gave, or the owner they named, bare or in an object or list: who gets it may free the lock, or make another thing of it. */
export function lockNamer(unit: Unit, acquires: readonly AcquireOperation[]): (argument: ts.Expression) => boolean {
  const { ts } = unit;
  const names = new Set(acquires.flatMap((a) => [...resultNames(unit, a.node)]));
  const owners = acquires.flatMap((a) => (a.owner !== undefined && a.owner.kind !== 'const' ? [a.owner] : []));
  return namesLock;

  function namesLock(argument: ts.Expression): boolean {
    const e = bare(unit, argument);
    if (ts.isArrayLiteralExpression(e)) return e.elements.some((x) => namesLock(ts.isSpreadElement(x) ? x.expression : x));
    if (ts.isObjectLiteralExpression(e)) {
      return e.properties.some((p) => {
        if (ts.isPropertyAssignment(p)) return namesLock(p.initializer);
        return ts.isShorthandPropertyAssignment(p) ? namesLock(p.name) : ts.isSpreadAssignment(p) && namesLock(p.expression);
      });
    }
    const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
    return (binding !== undefined && names.has(binding)) || owners.some((owner) => sameTerm(termOf(unit, e), owner));
  }
}
