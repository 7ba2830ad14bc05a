import type ts from 'typescript';
import type { Unit } from './unit.js';

/** What an imported name leads to: a name of a file that can be read, or one of a package. `*` is the whole namespace. */
export type ImportTarget = { readonly kind: 'file'; readonly unit: Unit; readonly name: string } | { readonly kind: 'package'; readonly from: string; readonly name: string };

/** The export that an import clause, specifier or namespace import brings in. Undefined for other nodes. */
export function importTarget(unit: Unit, declaration: ts.Node): ImportTarget | undefined {
  const { ts } = unit;
  if (ts.isImportSpecifier(declaration)) return targetOf(unit, declaration.parent.parent.parent.moduleSpecifier, (declaration.propertyName ?? declaration.name).text);
  if (ts.isImportClause(declaration)) return targetOf(unit, declaration.parent.moduleSpecifier, 'default');
  if (ts.isNamespaceImport(declaration)) return targetOf(unit, declaration.parent.parent.moduleSpecifier, '*');
  if (ts.isImportEqualsDeclaration(declaration) && ts.isExternalModuleReference(declaration.moduleReference)) return targetOf(unit, declaration.moduleReference.expression, 'default');
  return undefined;
}

function targetOf(unit: Unit, specifier: ts.Expression, name: string): ImportTarget | undefined {
  if (!unit.ts.isStringLiteralLike(specifier)) return undefined;
  const other = unit.importOf(specifier.text);
  return other === undefined ? { kind: 'package', from: specifier.text, name } : { kind: 'file', unit: other, name };
}

/** A declaration or, for `export default <expression>`, the expression that an exported name stands for. */
export interface Exported {
  readonly unit: Unit;
  readonly name: string;
  readonly expression?: ts.Expression;
}

/** Follows re-exports to the file that declares the name; a package where they lead out of the project. */
export function exportOf(unit: Unit, name: string, depth = 0): Exported | ImportTarget | undefined {
  const { ts } = unit;
  if (depth > 6) return undefined;
  for (const s of unit.file.statements) {
    if (name === 'default') {
      if (ts.isExportAssignment(s)) return { unit, name: ts.isIdentifier(s.expression) ? s.expression.text : name, expression: s.expression };
      if ((ts.isClassDeclaration(s) || ts.isFunctionDeclaration(s)) && s.name && s.modifiers?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword)) return { unit, name: s.name.text };
    }
    if (!ts.isExportDeclaration(s) || s.exportClause === undefined || !ts.isNamedExports(s.exportClause)) continue;
    const specifier = s.exportClause.elements.find((e) => e.name.text === name);
    if (specifier === undefined) continue;
    const inner = (specifier.propertyName ?? specifier.name).text;
    return s.moduleSpecifier === undefined ? { unit, name: inner } : through(targetOf(unit, s.moduleSpecifier, inner), depth);
  }
  if (unit.scopes.lookup(name, unit.file) !== undefined || unit.scopes.typeNamed(name, unit.file) !== undefined) return { unit, name };
  for (const s of unit.file.statements) {
    if (!ts.isExportDeclaration(s) || s.exportClause !== undefined || s.moduleSpecifier === undefined) continue;
    const found = through(targetOf(unit, s.moduleSpecifier, name), depth);
    if (found !== undefined && !('kind' in found)) return found;
  }
  return undefined;
}

function through(target: ImportTarget | undefined, depth: number): Exported | ImportTarget | undefined {
  return target?.kind === 'file' ? exportOf(target.unit, target.name, depth + 1) : target;
}
