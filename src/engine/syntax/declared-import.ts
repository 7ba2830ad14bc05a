import type ts from 'typescript';
import type { Unit } from './unit.js';
import { Kept, KeptByName, noteRead, unnoted } from '../kept.js';
import { questionKey } from './questions.js';

/** What an imported name leads to: a name of a file that can be read, or one of a package. `*` is the whole namespace. */
export type ImportTarget = { readonly kind: 'file'; readonly unit: Unit; readonly name: string } | { readonly kind: 'package'; readonly from: string; readonly name: string };

/** The export that an import clause, specifier or namespace import brings in. Undefined for other nodes. */
export function importTarget(unit: Unit, declaration: ts.Node): ImportTarget | undefined {
  const { ts } = unit;
  if (ts.isImportSpecifier(declaration)) return targetOf(unit, declaration.parent.parent.parent.moduleSpecifier, (declaration.propertyName ?? declaration.name).text);
  if (ts.isImportClause(declaration)) return targetOf(unit, declaration.parent.moduleSpecifier, 'default');
  if (ts.isNamespaceImport(declaration)) return targetOf(unit, declaration.parent.parent.moduleSpecifier, '*');
  if (ts.isImportEqualsDeclaration(declaration) && ts.isExternalModuleReference(declaration.moduleReference)) return targetOf(unit, declaration.moduleReference.expression, 'default');
  return requireTarget(unit, declaration);
}

/** `const x = require('./y')`, `const { x } = require('./y')`. */
function requireTarget(unit: Unit, declaration: ts.Node): ImportTarget | undefined {
  const { ts } = unit;
  if (ts.isVariableDeclaration(declaration)) return ts.isIdentifier(declaration.name) ? requiredBy(declaration.initializer, '*') : undefined;
  if (!ts.isBindingElement(declaration) || declaration.dotDotDotToken !== undefined || !ts.isVariableDeclaration(declaration.parent.parent)) return undefined;
  const name = declaration.propertyName ?? declaration.name;
  return ts.isIdentifier(name) && ts.isObjectBindingPattern(declaration.parent) ? requiredBy(declaration.parent.parent.initializer, name.text) : undefined;

  function requiredBy(call: ts.Expression | undefined, wanted: string): ImportTarget | undefined {
    if (call === undefined || !ts.isCallExpression(call) || !ts.isIdentifier(call.expression) || call.expression.text !== 'require') return undefined;
    const specifier = call.arguments[0];
    return specifier === undefined || unit.scopes.resolve(call.expression) !== undefined ? undefined : targetOf(unit, specifier, wanted);
  }
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
export function exportOf(unit: Unit, name: string): Exported | ImportTarget | undefined {
  const found = foundIn(unit);
  if (found.has(name)) return found.get(name);
  const answer = search(unit, name, new Set());
  found.set(name, answer);
  return answer;
}

type Found = KeptByName<string, Exported | ImportTarget | undefined>;

const answers = new Kept<Unit, Found>();

function foundIn(unit: Unit): Found {
  const held = answers.get(unit);
  if (held !== undefined) return held;
  const none: Found = new KeptByName();
  answers.set(unit, none);
  return none;
}

/** What a file exports, read once: barrels have hundreds of lines and are asked for each name. */
interface ExportIndex {
  readonly named: ReadonlyMap<string, { readonly inner: string; readonly from: ts.Expression | undefined }>;
  /** `exports.name = ..` and the properties of `module.exports = { .. }`. */
  readonly assigned: ReadonlyMap<string, ts.Expression>;
  readonly byDefault: Exported | undefined;
  /** The modules of `export * from`. */
  readonly stars: readonly ts.Expression[];
}

const indexes = new Kept<Unit, ExportIndex>();

function indexOf(unit: Unit): ExportIndex {
  const known = indexes.get(unit);
  if (known !== undefined) return known;
  const index = unnoted(() => readIndex(unit));
  indexes.set(unit, index);
  return index;
}

/** Who takes an entry notes that: barrels change often. */
function readIndex(unit: Unit): ExportIndex {
  const { ts } = unit;
  const named = new Map<string, { inner: string; from: ts.Expression | undefined }>();
  const stars: ts.Expression[] = [];
  const assigned = new Map<string, ts.Expression>();
  let byDefault: Exported | undefined;
  for (const s of unit.file.statements) {
    const common = commonExport(unit, s);
    if (common !== undefined) {
      for (const [name, expression] of common.named) assigned.set(name, expression);
      if (common.whole !== undefined) byDefault ??= exportedExpression(unit, common.whole);
    } else if (ts.isExportAssignment(s)) byDefault ??= { unit, name: ts.isIdentifier(s.expression) ? s.expression.text : 'default', expression: s.expression };
    else if ((ts.isClassDeclaration(s) || ts.isFunctionDeclaration(s)) && s.name && s.modifiers?.some((m) => m.kind === ts.SyntaxKind.DefaultKeyword)) byDefault ??= { unit, name: s.name.text };
    else if (!ts.isExportDeclaration(s)) continue;
    else if (s.exportClause === undefined) stars.push(...(s.moduleSpecifier ? [s.moduleSpecifier] : []));
    else if (ts.isNamedExports(s.exportClause)) {
      for (const e of s.exportClause.elements) if (!named.has(e.name.text)) named.set(e.name.text, { inner: (e.propertyName ?? e.name).text, from: s.moduleSpecifier });
    }
  }
  return { named, assigned, byDefault, stars };
}

/** A name of the file stands for its declaration. */
function exportedExpression(unit: Unit, expression: ts.Expression): Exported {
  return unit.ts.isIdentifier(expression) ? { unit, name: expression.text } : { unit, name: '', expression };
}

/** What a statement of a CommonJS file exports: `module.exports = { a, b }`, `module.exports = x`, `exports.a = x`. */
function commonExport(unit: Unit, statement: ts.Statement): { readonly named: readonly (readonly [string, ts.Expression])[]; readonly whole?: ts.Expression } | undefined {
  const { ts } = unit;
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression) || statement.expression.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return undefined;
  const { left, right } = statement.expression;
  if (!ts.isPropertyAccessExpression(left)) return undefined;
  if (isExports(left.expression)) return { named: [[left.name.text, right]] };
  if (!isExports(left)) return undefined;
  if (!ts.isObjectLiteralExpression(right)) return { named: [], whole: right };
  return {
    named: right.properties.flatMap((p): (readonly [string, ts.Expression])[] => {
      if (ts.isShorthandPropertyAssignment(p)) return [[p.name.text, p.name]];
      return ts.isPropertyAssignment(p) && ts.isIdentifier(p.name) ? [[p.name.text, p.initializer]] : [];
    }),
    whole: right,
  };

  function isExports(e: ts.Expression): boolean {
    if (ts.isIdentifier(e)) return e.text === 'exports' && unit.scopes.resolve(e) === undefined;
    return ts.isPropertyAccessExpression(e) && e.name.text === 'exports' && ts.isIdentifier(e.expression) && e.expression.text === 'module';
  }
}

/** Each file is asked once for a name: barrels export each other in circles. */
function search(unit: Unit, name: string, asked: Set<string>): Exported | ImportTarget | undefined {
  const step = `${name} ${unit.path}`;
  if (asked.has(step)) return undefined;
  asked.add(step);
  noteRead(questionKey(unit.path, 'exported', name));
  if (!mayExport(unit, name)) return undefined;
  const { named, assigned, byDefault, stars } = indexOf(unit);
  if (name === 'default' && byDefault !== undefined) return byDefault;
  const specifier = named.get(name);
  if (specifier !== undefined) return specifier.from === undefined ? { unit, name: specifier.inner } : through(targetOf(unit, specifier.from, specifier.inner), asked);
  const value = assigned.get(name);
  if (value !== undefined) return exportedExpression(unit, value);
  // Barrels ask file after file: whether it declares the name is a part of the question above.
  if (unnoted(() => unit.scopes.lookup(name, unit.file) !== undefined || unit.scopes.typeNamed(name, unit.file) !== undefined)) return { unit, name };
  for (const from of stars) {
    const target = targetOf(unit, from, name);
    if (target?.kind === 'file' && !mayExport(target.unit, name)) {
      noteRead(questionKey(unit.path, 'members', name));
      continue;
    }
    const found = through(target, asked);
    if (found !== undefined && !('kind' in found)) return found;
  }
  return undefined;
}

/** A barrel leads to files by the hundred: most do not so much as hold the word, and need not be parsed to tell. */
function mayExport(unit: Unit, name: string): boolean {
  return unit.mayName(name) || (name === 'default' && unit.mayName('exports')) || unnoted(() => unit.says(EXPORTS_ALL));
}

const EXPORTS_ALL = /\bexport(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)*(?:type(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*)*)?\*/;

function through(target: ImportTarget | undefined, asked: Set<string>): Exported | ImportTarget | undefined {
  return target?.kind === 'file' ? search(target.unit, target.name, asked) : target;
}
