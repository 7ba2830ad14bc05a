import type ts from 'typescript';
import { wholeValue } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';

/** The names that hold the answer of a call, whole or in parts. */
export function resultNames(unit: Unit, site: ts.Node): ReadonlySet<Binding> {
  const { ts } = unit;
  const found = new Set<Binding>();
  if (!ts.isCallExpression(site) && !ts.isTaggedTemplateExpression(site)) return found;
  const whole = wholeValue(unit, site);
  const p = whole.parent;
  if (ts.isVariableDeclaration(p) && p.initializer === whole) add(p.name);
  else if (ts.isBinaryExpression(p) && p.right === whole && p.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isIdentifier(p.left)) add(p.left);
  return found;

  function add(name: ts.BindingName): void {
    if (ts.isIdentifier(name)) {
      const binding = unit.scopes.resolve(name);
      if (binding !== undefined) found.add(binding);
    } else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
  }
}
