import type ts from 'typescript';
import type { AccessNode, StateWrite } from '../operations/state-access.js';
import { isSameCode } from '../syntax/same-code.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { loopAround } from '../syntax/loop-around.js';
import type { Unit } from '../syntax/unit.js';
import { reaches, within } from './accesses.js';

/**
 * A guarded write in a loop whose compared value is read anew after a miss, while what it writes still comes from the row as read before the loop: the second try wipes
 * out the change that won. Gives the later read.
 */
export function staleRetry(unit: Unit, write: StateWrite): AccessNode | undefined {
  const { ts } = unit;
  const loop = loopAround(unit, write.node, enclosingFunction(unit, write.node));
  if (loop === undefined || !ts.isCallExpression(write.node)) return undefined;
  const names = namesIn(unit, write.node.arguments);
  for (const binding of names) {
    const again = rereadOf(unit, binding, loop);
    if (again === undefined) continue;
    const first = [...names].find((n) => n !== binding && readsOnceBefore(unit, n, loop, again));
    if (first !== undefined) return again;
  }
  return undefined;
}

/** The names that the arguments are made of, followed through constants of the function. */
function namesIn(unit: Unit, args: readonly ts.Expression[]): ReadonlySet<Binding> {
  const found = new Set<Binding>();
  for (const a of args) {
    reaches(unit, a, (n) => {
      const binding = unit.ts.isIdentifier(n) ? unit.scopes.resolve(n) : undefined;
      if (binding !== undefined && (binding.kind === 'const' || binding.kind === 'let')) found.add(binding);
      return false;
    });
  }
  return found;
}

/** The awaited call in the loop that gives a name its next value. */
function rereadOf(unit: Unit, binding: Binding, loop: ts.Node): ts.CallExpression | undefined {
  const { ts } = unit;
  for (const at of binding.writes) {
    if (!within(at, loop) || !ts.isBinaryExpression(at) || at.operatorToken.kind !== ts.SyntaxKind.EqualsToken) continue;
    const call = awaitedIn(unit, at.right);
    if (call !== undefined) return call;
  }
  return undefined;
}

function awaitedIn(unit: Unit, node: ts.Node): ts.CallExpression | undefined {
  const { ts } = unit;
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined || ts.isFunctionLike(n)) return;
    const inner = ts.isAwaitExpression(n) ? bare(unit, n.expression) : undefined;
    if (inner !== undefined && ts.isCallExpression(inner)) found = inner;
    else ts.forEachChild(n, visit);
  };
  visit(node);
  return found;
}

/** A constant outside of the loop that the same read gave. */
function readsOnceBefore(unit: Unit, binding: Binding, loop: ts.Node, again: ts.CallExpression): boolean {
  const { ts } = unit;
  const d = binding.declaration;
  if (binding.writes.length > 0 || !ts.isVariableDeclaration(d) || d.initializer === undefined || within(d, loop)) return false;
  const call = awaitedIn(unit, d.initializer);
  return call !== undefined && isSameCode(ts, call, again);
}
