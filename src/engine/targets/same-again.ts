import type ts from 'typescript';
import { answersRequest, calledName, cannotThrow, isOnLogger } from '../flow/call-words.js';
import { programCallers } from '../functions/program-callers.js';
import type { ColumnAssignment, StateAccess, StateWrite } from '../operations/state-access.js';
import { bare, initialiserOf, isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { within } from './accesses.js';
import { caughtBy } from './claimed-before.js';
import { statementsAfter } from './statements-after.js';
import { wholeFunction } from './rivals.js';
import { isExit } from './short-window.js';

/** Whether the same code with the same input, run once more, puts the same values: constants, the time, and what it was handed. A counter or the answer of a call is none. */
export function writesTheSame(unit: Unit, { node, set, setOpen, verb }: StateWrite): boolean {
  return verb === 'update' && !setOpen && set.length > 0 && set.every((a) => isSame(unit, a) || (SAYS_WHY.test(a.column) && caughtBy(unit, node) === undefined));
}

function isSame(unit: Unit, { source, value, node }: ColumnAssignment): boolean {
  if (source === 'old-value') return false;
  return source === 'store' || value?.kind === 'const' || (node !== undefined && isFixed(unit, node, 0));
}

/** A text for people: two runs may word it differently. What a `catch` writes down comes by chance, and another run may have ended well. */
const SAYS_WHY = /(?:error|failure|status)_?(?:message|text|reason|details?)$|^(?:last_?)?error$/i;

const DEPTH = 4;

function isFixed(unit: Unit, node: ts.Expression, depth: number): boolean {
  const { ts } = unit;
  const e = bare(unit, node);
  if (ts.isLiteralExpression(e) || [ts.SyntaxKind.NullKeyword, ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.ThisKeyword].includes(e.kind)) return true;
  if (ts.isTemplateExpression(e)) return e.templateSpans.every((s) => isFixed(unit, s.expression, depth));
  if (ts.isPropertyAccessExpression(e)) return isFixed(unit, e.expression, depth);
  if (ts.isConditionalExpression(e)) return [e.condition, e.whenTrue, e.whenFalse].every((x) => isFixed(unit, x, depth));
  if (ts.isBinaryExpression(e)) return isFixed(unit, e.left, depth) && isFixed(unit, e.right, depth);
  if (ts.isNewExpression(e)) return (e.arguments ?? []).every((a) => isFixed(unit, a, depth));
  // `new Date().toISOString()`: what a value is turned into on the spot.
  if (ts.isCallExpression(e)) return !ts.isAwaitExpression(e.parent) && cannotThrow(unit, e) && [e.expression, ...e.arguments].every((a) => isFixed(unit, a, depth));
  if (!ts.isIdentifier(e)) return false;
  const binding = unit.scopes.resolve(e);
  if (binding === undefined || binding.kind === 'param') return true;
  const from = initialiserOf(unit, binding);
  if (from === undefined) return ts.isImportSpecifier(binding.declaration) || ts.isImportClause(binding.declaration) || ts.isEnumDeclaration(binding.declaration);
  return depth < DEPTH && isFixed(unit, from, depth + 1);
}

/** Callers are looked at this far. */
const LEVELS = 2;
const MOST_CALLS = 12;

/** Work that follows a write, in its function or in those that call it (not where the function is given up right after it), and that somebody notices when it is done twice: a message, a charge, a new row. */
export function effectAfter(unit: Unit, node: ts.Node, accesses: readonly StateAccess[], level = isExit(unit, node) ? 0 : LEVELS): ts.Node | undefined {
  const { ts } = unit;
  const whole = wholeValue(unit, node as ts.Expression);
  const found = [...beside(unit, whole), ...statementsAfter(unit, whole)].flatMap((s) => callsIn(unit, s)).find((c) => hurtsTwice(unit, c, accesses));
  if (found !== undefined) return found;
  const fn = wholeFunction(unit, node);
  if (level === 0 || ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn)) return undefined;
  for (const { unit: there, call } of programCallers(unit, fn).calls.slice(0, MOST_CALLS)) {
    const next = effectAfter(there, call, [], level - 1);
    if (next !== undefined) return next;
  }
  return undefined;
}

/** What runs together with it: `Promise.all([send(..), update(..)])`. */
function beside({ ts }: Unit, node: ts.Node): readonly ts.Node[] {
  const list = node.parent;
  return ts.isArrayLiteralExpression(list) ? list.elements.filter((e) => e !== node) : [];
}

function callsIn({ ts }: Unit, root: ts.Node): readonly ts.CallExpression[] {
  const found: ts.CallExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

/** Done once more it leaves things as they are. */
const IDEMPOTENT = /^(?:get|find|load|read|list|select|count|is|has|check|ensure|assert|validate|verify|parse|set|update|edit|mark|patch|upsert|put|delete|remove|destroy|clear|clean|reset|invalidate|revalidate|expire|close|stop|release|unlock|free|map|filter|for|then|catch|finally|all|race|\$transaction|transaction|commit|rollback|query|execute|run|exec|with|build|create\w*(?:Error|Client|Provider|Logger|Card))(?:[A-Z_]\w*)?$/;
/** A trail that people read: a line more hurts nobody. */
const TRAIL = /audit|analytic|telemetry|metric|breadcrumb|capture/i;
/** What is not waited for is mostly bookkeeping on the spot. */
const SENDS = /^(?:send|enqueue|publish|dispatch|notify|trigger|waitUntil|after|schedule|addJob|defer)(?:[A-Z]\w*)?$/;

function hurtsTwice(unit: Unit, call: ts.CallExpression, accesses: readonly StateAccess[]): boolean {
  const { ts } = unit;
  const name = calledName(unit, call);
  if (name === '' || IDEMPOTENT.test(name) || TRAIL.test(name) || isOnLogger(unit, call) || cannotThrow(unit, call) || answersRequest(unit, call)) return false;
  if (accesses.some((a) => a.kind !== 'transaction' && within(call, a.node))) return false;
  if (SENDS.test(name)) return true;
  const whole = wholeValue(unit, call);
  return ts.isAwaitExpression(whole) || ts.isAwaitExpression(call.parent) || ts.isVoidExpression(whole) || ts.isReturnStatement(whole.parent);
}
