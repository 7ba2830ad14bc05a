import type ts from 'typescript';
import { NOTHING, type Value } from '../operations/value.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { FlowRoot } from './cfg-types.js';
import type { EnvKey } from './path-env.js';
import { Kept } from '../kept.js';

const known = new Kept<ts.Node, ReadonlyMap<EnvKey, Value>>();

/**
 * The names of a function that are declared without a value (`let lock: Lock | undefined;`): undefined until they are assigned. What an inner function assigns may get its value
 * at any time, and what a loop declares is declared anew in each round: both are left out.
 */
export function unsetNames(unit: Unit, root: FlowRoot): ReadonlyMap<EnvKey, Value> {
  const { ts } = unit;
  const held = known.get(root);
  if (held !== undefined) return held;
  const found = new Map<EnvKey, Value>();
  const visit = (n: ts.Node): void => {
    if (n !== root && (isFunctionWithBody(unit, n) || ts.isClassLike(n) || ts.isIterationStatement(n, false))) return;
    if (ts.isVariableDeclaration(n) && n.initializer === undefined && ts.isIdentifier(n.name) && ts.isVariableDeclarationList(n.parent) && ts.isVariableStatement(n.parent.parent)) {
      const binding = unit.scopes.resolve(n.name);
      if (binding !== undefined && binding.writes.every((w) => enclosingFunction(unit, w) === root)) found.set(binding, NOTHING);
    }
    ts.forEachChild(n, visit);
  };
  if (!ts.isSourceFile(root)) visit(root);
  known.set(root, found);
  return found;
}
