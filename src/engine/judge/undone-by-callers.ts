import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import type { Operation } from '../operations/operation.js';
import { bare, enclosingFunction, functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

const known = new Kept<ts.Node, boolean>();

/**
 * Whether a function that frees a key is only ever called as an undo: each caller, in whatever file, has asked the acquire's function for the key itself
 * and comes here where its own work has failed. Not proven where callers cannot be seen, or where the function is handed on as a value.
 */
export function isUndoneByCallers(unit: Unit, acquire: Operation, release: Operation): boolean {
  const held = known.get(release.node);
  if (held !== undefined) return held;
  const take = nameOf(unit, enclosingFunction(unit, acquire.node));
  const undo = nameOf(unit, enclosingFunction(unit, release.node));
  const units = take === undefined || undo === undefined || take === undo ? undefined : unit.mentioning(undo);
  const uses = units?.filter((u) => !IN_TESTS.test(u.path)).flatMap((u) => usesOf(u, undo ?? '').map((use) => ({ u, use }))) ?? [];
  const proven = uses.length > 0 && uses.every(({ u, use }) => use !== 'a value' && isAfterOwnFailure(u, use, take ?? ''));
  known.set(release.node, proven);
  return proven;
}

/** Tests call a function to see what it does. */
const IN_TESTS = /\.(?:test|spec)\.\w+$|__tests__|__mocks__/;

function nameOf(unit: Unit, fn: ts.Node): string | undefined {
  const name = functionName(unit, fn).split('.').at(-1) ?? '';
  return /^[\w$]+$/.test(name) && name !== 'constructor' ? name : undefined;
}

/** The calls of a name in a file. What is neither a call nor a declaration, import or export is a value that goes who knows where. */
function usesOf(unit: Unit, name: string): (ts.CallExpression | 'a value')[] {
  const { ts } = unit;
  const found: (ts.CallExpression | 'a value')[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && calledName(unit, n) === name) found.push(n);
    else if (ts.isIdentifier(n) && n.text === name && isValue(unit, n)) found.push('a value');
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;
}

function isValue(unit: Unit, id: ts.Identifier): boolean {
  const { ts } = unit;
  const e: ts.Node = ts.isPropertyAccessExpression(id.parent) && id.parent.name === id ? id.parent : id;
  const p = e.parent;
  if (ts.isCallExpression(p) && p.expression === e) return false;
  return !ts.isImportSpecifier(p) && !ts.isExportSpecifier(p) && !('name' in p && p.name === e && !ts.isShorthandPropertyAssignment(p));
}

function isAfterOwnFailure(unit: Unit, call: ts.CallExpression, take: string): boolean {
  const failed = failedPart(unit, call);
  return failed !== undefined && asksBefore(unit, enclosingFunction(unit, failed), call, take);
}

/** The catch clause, `.catch` handler or `if (error)` around a call. */
function failedPart(unit: Unit, call: ts.CallExpression): ts.Node | undefined {
  const { ts } = unit;
  for (let n: ts.Node = call; !ts.isSourceFile(n); n = n.parent) {
    if (ts.isCatchClause(n)) return n;
    if (ts.isIfStatement(n.parent) && n.parent.thenStatement === n && namesError(unit, n.parent.expression)) return n.parent;
    if (!ts.isFunctionLike(n)) continue;
    const p = n.parent;
    return ts.isCallExpression(p) && calledName(unit, p) === 'catch' ? p : undefined;
  }
  return undefined;
}

function namesError(unit: Unit, condition: ts.Expression): boolean {
  const e = bare(unit, condition);
  return unit.ts.isIdentifier(e) && /(?:^err|Err|error|Error|failure|Failure|exception|Exception)$/.test(e.text);
}

function asksBefore(unit: Unit, fn: ts.Node, call: ts.CallExpression, take: string): boolean {
  const { ts } = unit;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found || n.pos > call.pos) return;
    if (ts.isCallExpression(n) && calledName(unit, n) === take) found = true;
    else ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;
}
