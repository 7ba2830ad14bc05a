import type ts from 'typescript';
import { cannotThrow } from '../flow/call-words.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { AcquireOperation } from '../operations/operation.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Suggestion } from './outcome.js';
import type { AcquisitionSubject } from './subject.js';

const NAME = 'acquired';

/**
 * Tests an answer that is dropped and returns: `const acquired = await ..; if (!acquired) return;`. Only where the function gives nothing back, the acquire is a
 * statement of its own in it, and nothing before it may be left open by the new exit.
 */
export function suggestStop({ unit, operation }: AcquisitionSubject): Suggestion[] {
  const { ts, file } = unit;
  const statement = ownStatement(unit, operation.node);
  const block = statement?.parent;
  if (statement === undefined || block === undefined || !ts.isBlock(block) || !isYesOrNo(operation)) return [];
  const fn = block.parent;
  if (fn !== enclosingFunction(unit, operation.node) || !givesNothing(unit, fn, block) || !isFree(unit, operation.node, block)) return [];
  if (!opensNothing(unit, block, statement) || othersBefore(unit, operation, fn)) return [];
  const start = statement.getStart(file);
  const { text } = unit;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const before = text.slice(lineStart, start);
  const newLine = before.trim() === '' ? `${text[lineStart - 2] === '\r' ? '\r' : ''}\n${before}` : ' ';
  const semicolon = text[statement.end - 1] === ';' ? ';' : '';
  return [{
    title: 'Return when the lock was not acquired.',
    edits: [
      { start, end: start, text: `const ${NAME} = ` },
      { start: statement.end, end: statement.end, text: `${semicolon === '' && newLine === ' ' ? ';' : ''}${newLine}if (!${NAME}) return${semicolon}` },
    ],
  }];
}

/** `await lock.acquire(..);` and nothing around it. */
function ownStatement({ ts }: Unit, call: ts.Node): ts.ExpressionStatement | undefined {
  const awaited = call.parent;
  return ts.isAwaitExpression(awaited) && ts.isExpressionStatement(awaited.parent) ? awaited.parent : undefined;
}

/** True or false, or `'OK'` or null: `!` tells them apart. */
function isYesOrNo({ result: { won, lost, throwsWhenLost } }: AcquireOperation): boolean {
  const [yes, no] = [won[0], lost[0]];
  if (throwsWhenLost || won.length !== 1 || lost.length !== 1 || yes?.kind !== 'const' || no?.kind !== 'const') return false;
  return (yes.value === true && no.value === false) || (yes.value === 'OK' && no.value === null);
}

function givesNothing({ ts, file }: Unit, fn: ts.Node, block: ts.Block): boolean {
  if (!ts.isFunctionDeclaration(fn) && !ts.isFunctionExpression(fn) && !ts.isArrowFunction(fn) && !ts.isMethodDeclaration(fn)) return false;
  if (fn.asteriskToken !== undefined) return false;
  if (fn.type !== undefined) return /^(void|Promise\s*<\s*void\s*>)$/.test(fn.type.getText(file));
  return !contains(ts, block, (n) => ts.isReturnStatement(n) && n.expression !== undefined);
}

function isFree(unit: Unit, call: ts.Node, block: ts.Block): boolean {
  const { ts } = unit;
  if (unit.scopes.lookup(NAME, call) !== undefined) return false;
  let used = false;
  const visit = (n: ts.Node): void => {
    if (ts.isIdentifier(n) && n.text === NAME) used = true;
    else ts.forEachChild(n, visit);
  };
  visit(block);
  return !used;
}

/** What stands before only reads, names values and leaves early. A connection or timer that a later `finally` closes would stay open. */
function opensNothing(unit: Unit, block: ts.Block, statement: ts.Statement): boolean {
  const { ts } = unit;
  const earlier = block.statements.slice(0, block.statements.indexOf(statement));
  const names = new Set<string>();
  for (const s of earlier) {
    if (ts.isVariableStatement(s)) for (const { name } of s.declarationList.declarations) noteNames(name);
    else if (!ts.isIfStatement(s) && !ts.isExpressionStatement(s)) return false;
    if (contains(ts, s, opens)) return false;
  }
  return !contains(ts, block, (n) => ts.isCallExpression(n) && isInFinally(n) && names.has(rootOf(n.expression)));

  function opens(n: ts.Node): boolean {
    return ts.isAwaitExpression(n) || ((ts.isNewExpression(n) || (ts.isCallExpression(n) && ts.isExpressionStatement(n.parent))) && !cannotThrow(unit, n));
  }

  function noteNames(name: ts.BindingName): void {
    if (ts.isIdentifier(name)) names.add(name.text);
    else for (const element of name.elements) if (ts.isBindingElement(element)) noteNames(element.name);
  }

  function isInFinally(node: ts.Node): boolean {
    for (let n = node; n !== block; n = n.parent) if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return true;
    return false;
  }

  function rootOf(e: ts.Expression): string {
    let root = e;
    while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root) || ts.isCallExpression(root) || ts.isNonNullExpression(root)) root = root.expression;
    return ts.isIdentifier(root) ? root.text : '';
  }
}

/** A lock that is held already would be left behind. */
function othersBefore(unit: Unit, { node }: AcquireOperation, fn: ts.Node): boolean {
  return lockOperations(unit).some((o) => o.kind === 'acquire' && o.node.pos < node.pos && enclosingFunction(unit, o.node) === fn);
}

/** Searches a function's own code, inner functions left aside. */
function contains(ts: Unit['ts'], node: ts.Node, found: (n: ts.Node) => boolean): boolean {
  return found(node) || ts.forEachChild(node, (child) => (ts.isFunctionLike(child) ? undefined : contains(ts, child, found) || undefined)) === true;
}
