import type ts from 'typescript';
import { typeOf } from '../syntax/declared-type.js';
import { bare, initialiserOf } from '../syntax/expression.js';
import type { TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** Whether an expression gives a promise that is still open: `maybe` where it gives one or a plain value; undefined where nothing tells. */
export function givesPromise(unit: Unit, expression: ts.Expression, depth = 0): 'yes' | 'maybe' | 'no' | undefined {
  const { ts } = unit;
  const e = bare(unit, expression);
  if (depth > 4 || ts.isAwaitExpression(e)) return 'no';
  if (ts.isNewExpression(e)) return ts.isIdentifier(e.expression) && e.expression.text === 'Promise' ? 'yes' : 'no';
  if (ts.isIdentifier(e)) {
    const binding = unit.scopes.resolve(e);
    const init = binding && initialiserOf(unit, binding);
    return init === undefined ? ofType(typeOf(unit, e)) : givesPromise(unit, init, depth + 1);
  }
  if (!ts.isCallExpression(e)) return 'no';
  const callee = bare(unit, e.expression);
  if (ts.isPropertyAccessExpression(callee)) {
    if (callee.expression.getText(unit.file) === 'Promise') return 'yes';
    if (/^(?:then|catch|finally)$/.test(callee.name.text)) return 'yes';
  }
  return ofType(typeOf(unit, e)) ?? (isAwaitedElsewhere(unit, e) ? 'yes' : undefined);
}

function ofType(type: TypeShape): 'yes' | 'maybe' | 'no' | undefined {
  if (type.kind === 'named') return type.from === undefined ? (/^Promise(?:Like)?$/.test(type.name) ? 'yes' : 'no') : undefined;
  if (type.kind === 'unknown') return undefined;
  if (type.kind !== 'union') return 'no';
  const members = type.members.map(ofType);
  if (members.every((m) => m === 'yes')) return 'yes';
  return members.some((m) => m === 'yes' || m === 'maybe') ? 'maybe' : members.some((m) => m === undefined) ? undefined : 'no';
}

const awaitedCallees = new Kept<Unit, ReadonlySet<string>>();

/** The same callee stands behind an `await` in this file. */
function isAwaitedElsewhere(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  let known = awaitedCallees.get(unit);
  if (known === undefined) {
    const found = new Set<string>();
    const visit = (n: ts.Node): void => {
      if (ts.isAwaitExpression(n)) {
        const inner = bare(unit, n.expression);
        if (ts.isCallExpression(inner)) found.add(inner.expression.getText(unit.file));
      }
      ts.forEachChild(n, visit);
    };
    visit(unit.file);
    awaitedCallees.set(unit, (known = found));
  }
  return known.has(call.expression.getText(unit.file));
}
