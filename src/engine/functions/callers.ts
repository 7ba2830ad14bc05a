import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { functionName } from '../syntax/expression.js';
import { questionKey } from '../syntax/questions.js';
import type { Unit } from '../syntax/unit.js';
import { calledFunction } from './called-function.js';
import { Kept, noteRead, unnoted } from '../kept.js';

/** Who runs a function, as far as its file tells. */
export interface Callers {
  /** The calls in the file that lead to it, in the order of the text. */
  readonly calls: readonly ts.CallExpression[];
  /** Other files can call it too: it is exported, or a member of something that is. */
  readonly exported: boolean;
  /** It is handed over or stored somewhere as a value, so that there are callers nobody sees. */
  readonly passedOn: boolean;
}

/** The callers of a function in its own file. */
export function callersOf(unit: Unit, fn: ts.FunctionLikeDeclaration): Callers {
  const held = known.get(fn);
  if (held !== undefined) return held;
  const found = findCallers(unit, fn);
  known.set(fn, found);
  return found;
}

const known = new Kept<ts.Node, Callers>();

function findCallers(unit: Unit, fn: ts.FunctionLikeDeclaration): Callers {
  const whole = functionName(unit, fn);
  const name = whole.slice(whole.lastIndexOf('.') + 1);
  const isNamed = declaresItself(unit, fn);
  const { calls = [], mentions = [] } = isNamed ? usesOf(unit, name) ?? {} : {};
  return { calls: calls.filter((call) => calledFunction(unit, call)?.fn === fn), exported: isExported(unit, fn), passedOn: !isNamed || mentions.some((id) => isValueUse(unit, id)) };
}

/** The calls of a name in a file, and all identifiers that are it, in the order of the text. */
interface NameUses { readonly calls: ts.CallExpression[]; readonly mentions: ts.Identifier[] }

const names = new Kept<Unit, ReadonlyMap<string, NameUses>>();

function usesOf(unit: Unit, name: string): NameUses | undefined {
  let found = names.get(unit);
  if (found === undefined) names.set(unit, (found = unnoted(() => namesOf(unit))));
  noteRead(questionKey(unit.path, 'word', name));
  return found.get(name);
}

/** Read once a file, for all its functions. */
function namesOf(unit: Unit): ReadonlyMap<string, NameUses> {
  const { ts } = unit;
  const found = new Map<string, NameUses>();
  const usesFor = (name: string): NameUses => {
    let uses = found.get(name);
    if (uses === undefined) found.set(name, (uses = { calls: [], mentions: [] }));
    return uses;
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) usesFor(calledName(unit, node)).calls.push(node);
    else if (ts.isIdentifier(node)) usesFor(node.text).mentions.push(node);
    ts.forEachChild(node, visit);
  };
  visit(unit.file);
  return found;
}

/** A declaration, a method, or the value of a name or property; other functions are arguments and returned closures. */
function declaresItself(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  if (ts.isFunctionDeclaration(fn) || ts.isMethodDeclaration(fn)) return true;
  const p = fn.parent;
  return (ts.isVariableDeclaration(p) && ts.isIdentifier(p.name)) || ts.isPropertyDeclaration(p) || ts.isPropertyAssignment(p);
}

/** A mention that neither declares the name nor calls it nor exports it. A method of the name on another object counts too: in doubt there are more callers. */
function isValueUse(unit: Unit, id: ts.Identifier): boolean {
  const { ts } = unit;
  let e: ts.Node = id;
  if (ts.isPropertyAccessExpression(e.parent) && e.parent.name === e) e = e.parent;
  const p = e.parent;
  if (ts.isCallExpression(p) && p.expression === e) return false;
  if (ts.isPropertyAccessExpression(p) && p.expression === e) return false;
  if (ts.isExportSpecifier(p) || ts.isExportAssignment(p) || ts.isImportSpecifier(p) || ts.isTypeNode(p)) return false;
  if ('name' in p && p.name === e) return ts.isShorthandPropertyAssignment(p);
  return true;
}

function isExported(unit: Unit, fn: ts.Node): boolean {
  const { ts } = unit;
  for (let n: ts.Node = fn; !ts.isSourceFile(n); n = n.parent) {
    if (ts.canHaveModifiers(n)) {
      const modifiers = ts.getModifiers(n) ?? [];
      if (modifiers.some((m) => m.kind === ts.SyntaxKind.ExportKeyword)) return true;
      if (modifiers.some((m) => m.kind === ts.SyntaxKind.PrivateKeyword)) return false;
    }
    if (ts.isExportAssignment(n)) return true;
    if ('name' in n && n.name !== undefined) {
      const { name } = n as { name: ts.Node };
      if (ts.isPrivateIdentifier(name)) return false;
      if (ts.isIdentifier(name) && ts.isSourceFile(declarationStatement(unit, n).parent) && isListed(unit, name.text)) return true;
    }
    // What a function makes inside of itself leaves it only as a value.
    if (n !== fn && ts.isFunctionLike(n)) return false;
  }
  return false;
}

function declarationStatement(unit: Unit, node: ts.Node): ts.Node {
  const { ts } = unit;
  return ts.isVariableDeclaration(node) && ts.isVariableStatement(node.parent.parent) ? node.parent.parent : node;
}

/** `export { name }`, `export default name`, `module.exports = ..`. */
function isListed(unit: Unit, name: string): boolean {
  const { ts } = unit;
  noteRead(questionKey(unit.path, 'word', name));
  return unnoted(() => unit.file.statements.some((s) => {
    if (ts.isExportAssignment(s)) return ts.isIdentifier(s.expression) && s.expression.text === name;
    if (ts.isExportDeclaration(s)) return s.exportClause !== undefined && ts.isNamedExports(s.exportClause) && s.moduleSpecifier === undefined && s.exportClause.elements.some((e) => (e.propertyName ?? e.name).text === name);
    return ts.isExpressionStatement(s) && /^(?:module\.)?exports\b/.test(s.getText(unit.file)) && new RegExp(`\\b${name}\\b`).test(s.getText(unit.file));
  }));
}
