import type ts from 'typescript';
import { bare, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** The specifier a name is imported by, as it is spelled, and the exported name: `default` and `*` for whole modules. */
export interface ImportSource {
  readonly from: string;
  readonly name: string;
}

/** Where a name is imported from, by `import` or `require`, whether the file behind it can be read or not. Undefined for all other names. */
export function importSource(unit: Unit, id: ts.Identifier): ImportSource | undefined {
  const { ts } = unit;
  const declaration = unit.scopes.resolve(id)?.declaration;
  if (declaration === undefined) return undefined;
  if (ts.isImportSpecifier(declaration)) return sourceOf(unit, declaration.parent.parent.parent.moduleSpecifier, (declaration.propertyName ?? declaration.name).text);
  if (ts.isImportClause(declaration)) return sourceOf(unit, declaration.parent.moduleSpecifier, 'default');
  if (ts.isNamespaceImport(declaration)) return sourceOf(unit, declaration.parent.parent.moduleSpecifier, '*');
  if (ts.isImportEqualsDeclaration(declaration) && ts.isExternalModuleReference(declaration.moduleReference)) return sourceOf(unit, declaration.moduleReference.expression, '*');
  if (ts.isVariableDeclaration(declaration)) return required(unit, declaration.initializer, '*');
  if (!ts.isBindingElement(declaration) || !ts.isVariableDeclaration(declaration.parent.parent)) return undefined;
  return required(unit, declaration.parent.parent.initializer, nameText(unit, declaration.propertyName ?? declaration.name));
}

function sourceOf({ ts }: Unit, specifier: ts.Expression, name: string): ImportSource | undefined {
  return ts.isStringLiteralLike(specifier) ? { from: specifier.text, name } : undefined;
}

/** `require('x')`. */
function required(unit: Unit, node: ts.Expression | undefined, name: string): ImportSource | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined || !ts.isCallExpression(e) || !ts.isIdentifier(e.expression) || e.expression.text !== 'require') return undefined;
  const [specifier] = e.arguments;
  return specifier && sourceOf(unit, specifier, name);
}
