import type ts from 'typescript';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, followed, functionName, settled } from '../syntax/expression.js';
import { showTerm, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { slotRole } from './lock-words.js';

/** What says lock by itself: the names around a DEL of a key that the file never takes. */
const LOCK_WORDS = /(?<![bcBC])lock|Lock|LOCK|[mM]utex|MUTEX|(?<![rR]e)[lL]ease|LEASE|[sS]emaphore|[lL]eader/;

/**
 * Whether a command that frees a key runs only where code found the owner, read by an earlier command, to be this one: a release in two steps, which says that the key
 * is a lock wherever it is taken. A token of a session or a form is compared and deleted in the same way, so that some name has to speak of locks.
 */
export function isFreedAfterCompare(unit: Unit, call: ts.Node, key: Term): boolean {
  if (!LOCK_WORDS.test(`${showTerm(key)} ${functionName(unit, enclosingFunction(unit, call))}`)) return false;
  return isUnderOwnerTest(unit, call, key);
}

/** Whether a node runs only where two names of an owner were found equal. */
export function isUnderOwnerTest(unit: Unit, node: ts.Node, key?: Term): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !ts.isFunctionLike(n); n = n.parent) {
    const p = n.parent;
    if (ts.isIfStatement(p) && p.thenStatement === n && tests(p.expression, true)) return true;
    if (ts.isConditionalExpression(p) && p.whenTrue === n && tests(p.condition, true)) return true;
    if (ts.isBinaryExpression(p) && p.right === n && p.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && tests(p.left, true)) return true;
    if ((ts.isBlock(p) || ts.isSourceFile(p)) && p.statements.some((s) => s.end <= n.pos && guards(s))) return true;
  }
  return false;

  /** A test that leaves where the owners differ, in a block of its own too. */
  function guards(s: ts.Statement): boolean {
    if (ts.isBlock(s)) return s.statements.some(guards);
    return ts.isIfStatement(s) && leaves(s.thenStatement) && tests(s.expression, false);
  }

  function leaves(statement: ts.Statement): boolean {
    const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
    return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last) || ts.isBreakStatement(last));
  }

  /** `equal`: the condition can only be true where the owners are; else it is true wherever they differ. */
  function tests(condition: ts.Expression, equal: boolean): boolean {
    const e = bare(unit, condition);
    if (!ts.isBinaryExpression(e)) return false;
    const { kind } = e.operatorToken;
    if (kind === (equal ? ts.SyntaxKind.AmpersandAmpersandToken : ts.SyntaxKind.BarBarToken)) return tests(e.left, equal) || tests(e.right, equal);
    const wanted = equal ? [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.EqualsEqualsToken] : [ts.SyntaxKind.ExclamationEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsToken];
    if (!wanted.includes(kind)) return false;
    return (isOwner(e.left) && (isOwner(e.right) || isStored(e.right))) || (isOwner(e.right) && isStored(e.left));
  }

  function isOwner(side: ts.Expression): boolean {
    const e = bare(unit, side);
    const name = ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '';
    return name !== 'value' && slotRole(name) === 'owner';
  }

  /** What a GET of the key answered. */
  function isStored(side: ts.Expression): boolean {
    const e = settled(unit, followed(unit, side));
    const [read] = ts.isCallExpression(e) ? e.arguments : [];
    return key !== undefined && read !== undefined && ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression) && e.expression.name.text === 'get' && sameTerm(termOf(unit, read), key);
  }
}
