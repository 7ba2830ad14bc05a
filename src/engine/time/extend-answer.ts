import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { resultNames } from '../flow/result-names.js';
import { callersOf } from '../functions/callers.js';
import type { ExtendOperation } from '../operations/operation.js';
import { awaited, calleeOf } from '../syntax/declared-type.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { handlerActs, isReadElsewhere, type Acts } from './failure-acts.js';
import { leaves } from './leaves.js';
import { usesOldHandle } from './old-handle.js';
import { timerCallbacks } from './renewal-timer.js';
import { runsItself } from './renewed.js';
import { workBehindLoop } from './work-behind-loop.js';

/**
 * What becomes of a renewal that fails. `heeded`: something stops, or the caller is told. `dropped`: nobody looks at the answer. `logged`: people are told, code is not.
 * `told`: listeners of an event may act. `unhandled`: the rejection leaves a timer or a floating promise. `escaped`: the same where a `no` is heeded; the node is the
 * function of the timer. `onward`: only the loop ends, and the work behind it goes on, the node. `replaced`: the renewal gives a new handle, and the old one is used on. `unknown`: other code gets it.
 */
export interface ExtendAnswer {
  readonly kind: 'heeded' | 'dropped' | 'logged' | 'told' | 'unhandled' | 'escaped' | 'onward' | 'replaced' | 'unknown';
  /** Where that shows: the handler, the test, the call. */
  readonly node: ts.Node;
}

/** How the API tells that the lock is gone: by its value, or by an exception only. */
type Tells = 'value' | 'throws';

export function extendAnswer(unit: Unit, operation: ExtendOperation): ExtendAnswer | undefined {
  const { node } = operation;
  if (!unit.ts.isCallExpression(node)) return { kind: 'unknown', node };
  // What a helper's timer learns later is judged in the helper.
  if (operation.evidence === 'body' && runsItself(unit, node)) return undefined;
  // What a helper throws is followed from the helper to its callers.
  if (operation.evidence === 'body' && tellsOf(unit, operation) === 'throws') return undefined;
  if (operation.onLoss !== undefined) return ofLossHandler(unit, operation);
  if (usesOldHandle(unit, operation)) return { kind: 'replaced', node };
  return answerOf(unit, node, tellsOf(unit, operation), 0);
}

function tellsOf(unit: Unit, { api, node }: ExtendOperation): Tells | undefined {
  if (/^(?:lock|redlock)\./.test(api) || api.startsWith('verrou')) return 'throws';
  if (/^[A-Z ]+$/.test(api) || api === 'redis script') return 'value';
  const target = unit.ts.isCallExpression(node) ? calleeOf(unit, node) : undefined;
  const type = target === undefined ? undefined : awaited(target.signature.result);
  if (type === undefined || type.kind === 'unknown') return undefined;
  if (type.kind === 'primitive' && (type.name === 'void' || type.name === 'undefined')) return 'throws';
  return type.kind === 'object' || type.kind === 'named' ? 'throws' : 'value';
}

/** A helper that goes on by itself calls a handler, if it was given one. */
function ofLossHandler(unit: Unit, { node, onLoss }: ExtendOperation): ExtendAnswer {
  const given = onLoss?.given;
  if (given === undefined) return { kind: 'dropped', node };
  const acts = handlerActs(unit, given);
  return { kind: acts === 'unknown' ? 'heeded' : kindOf(acts), node: given };
}

/** Follows the answer of one call outwards: `.then`, `.catch`, `await`, names, tests, callers. */
function answerOf(unit: Unit, call: ts.CallExpression, tells: Tells | undefined, depth: number): ExtendAnswer {
  const { ts } = unit;
  let e: ts.Expression = call;
  let isAwaited = false;
  let caught: Acts | undefined;
  for (;;) {
    const p: ts.Node = e.parent;
    if (ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p)) e = p;
    else if (ts.isAwaitExpression(p)) {
      isAwaited = true;
      e = p;
    } else if (ts.isPropertyAccessExpression(p) && p.expression === e && ts.isCallExpression(p.parent) && p.parent.expression === p) {
      const chain = p.parent;
      const [first, second] = chain.arguments;
      const name = p.name.text;
      if (name === 'catch' && first !== undefined) {
        caught ??= handlerActs(unit, first);
        // A `no` is no rejection: it still has to be looked at.
        if (tells === 'throws' || (tells === undefined && caught !== 'logged')) return { kind: kindOf(caught), node: first };
      } else if (name === 'then') {
        const lost = second === undefined ? undefined : handlerActs(unit, second);
        if (lost !== undefined && second !== undefined && (tells === 'throws' || lost === 'logged')) return { kind: kindOf(lost), node: second };
        if (first !== undefined && tells !== 'throws') return ofCallback(unit, first, chain, lost ?? caught);
      } else if (name !== 'finally') return { kind: 'unknown', node: e };
      e = chain;
    } else break;
  }
  const p = e.parent;
  const fn = enclosingFunction(unit, call);
  // `tryCatch(lock.extend(ttl))`, `this.extension = extend()`: who gets the promise may look at it.
  if (!isAwaited && (ts.isCallExpression(p) || ts.isNewExpression(p) || ts.isArrayLiteralExpression(p) || ts.isBinaryExpression(p) || ts.isVariableDeclaration(p) || ts.isPropertyAssignment(p))) return { kind: 'unknown', node: call };
  const throwsTo = (): ExtendAnswer => (isAwaited || ts.isReturnStatement(p) || ts.isArrowFunction(p) ? thrown(unit, call, fn, depth) : { kind: 'unhandled', node: call });
  if (tells === 'throws') return throwsTo();
  if (ts.isExpressionStatement(p) || ts.isVoidExpression(p)) return tells === 'value' || isInTimer(unit, call) ? { kind: 'dropped', node: call } : { kind: 'unknown', node: call };
  if (ts.isReturnStatement(p) || (ts.isArrowFunction(p) && p.body === e)) return returned(unit, fn, tells, call, depth);
  if (!isAwaited) return { kind: 'unknown', node: call };
  const flag = setBy(unit, e);
  if (flag !== undefined && !isReadElsewhere(unit, flag.left, flag)) return { kind: 'dropped', node: call };
  const tested = ofTests(unit, call, fn, tells, depth);
  // A `no` is heeded, but a store that fails answers by an exception.
  const escaped = tested.kind === 'heeded' && caught === undefined && isInTimer(unit, call) ? thrown(unit, call, fn, depth) : undefined;
  return escaped?.kind === 'unhandled' ? { kind: 'escaped', node: fn } : tested;
}

/** `lost = !(await renew())`, `this.held = (await renew()) === 1`: the assignment that keeps the answer. */
function setBy(unit: Unit, answer: ts.Expression): ts.BinaryExpression | undefined {
  const { ts } = unit;
  let e: ts.Expression = answer;
  while (ts.isParenthesizedExpression(e.parent) || ts.isPrefixUnaryExpression(e.parent) || (ts.isBinaryExpression(e.parent) && /^[!=]==?$/.test(e.parent.operatorToken.getText(unit.file)))) e = e.parent;
  const p = e.parent;
  return e !== answer && ts.isBinaryExpression(p) && p.right === e && p.operatorToken.kind === ts.SyntaxKind.EqualsToken && ts.isExpressionStatement(p.parent) ? p : undefined;
}

function kindOf(acts: Acts): ExtendAnswer['kind'] {
  return acts === 'acts' ? 'heeded' : acts;
}

/** `.then((ok) => { if (!ok) stop(); })`. */
function ofCallback(unit: Unit, callback: ts.Expression, chain: ts.CallExpression, caught: Acts | undefined): ExtendAnswer {
  const { ts } = unit;
  const fn = bare(unit, callback);
  if (!ts.isArrowFunction(fn) && !ts.isFunctionExpression(fn)) return { kind: 'unknown', node: chain };
  const parameter = fn.parameters[0];
  if (parameter === undefined) return { kind: caught === 'acts' ? 'unknown' : 'dropped', node: chain };
  if (!ts.isIdentifier(parameter.name)) return { kind: 'unknown', node: chain };
  const found = testsOn(unit, parameter.name.text, fn.body);
  return found ?? { kind: 'unknown', node: chain };
}

/** The tests on the name that holds the answer. */
function ofTests(unit: Unit, call: ts.CallExpression, fn: ts.Node, tells: Tells | undefined, depth: number): ExtendAnswer {
  const { ts } = unit;
  const names = [...resultNames(unit, call)];
  if (names.length === 0) {
    for (let n: ts.Node = call; n !== fn && n.parent; n = n.parent) {
      if (ts.isIfStatement(n.parent) && n.parent.expression === n) return branches(unit, n.parent, n.parent.expression);
      if (ts.isStatement(n)) break;
    }
    return { kind: 'unknown', node: call };
  }
  if (names.some((name) => isReturned(unit, name.name, fn))) return returned(unit, fn, tells, call, depth);
  for (const name of names) {
    const found = testsOn(unit, name.name, fn);
    if (found !== undefined) return found;
  }
  return isUsed(unit, names.map((b) => b.name), fn, call) ? { kind: 'unknown', node: call } : { kind: 'dropped', node: call };
}

/** `return extended === 1` tells the caller. */
function isReturned(unit: Unit, name: string, fn: ts.Node): boolean {
  const { ts } = unit;
  const names = (n: ts.Node): boolean => (ts.isIdentifier(n) && n.text === name) || ts.forEachChild(n, (c) => (names(c) ? true : undefined)) === true;
  const visit = (n: ts.Node): boolean => !ts.isFunctionLike(n) && ((ts.isReturnStatement(n) && n.expression !== undefined && names(n.expression)) || ts.forEachChild(n, (c) => (visit(c) ? true : undefined)) === true);
  return ts.forEachChild(fn, (c) => (visit(c) ? true : undefined)) === true;
}

function isUsed(unit: Unit, names: readonly string[], root: ts.Node, call: ts.Node): boolean {
  const { ts } = unit;
  let used = false;
  const visit = (n: ts.Node): void => {
    if (ts.isIdentifier(n) && n.pos > call.end && names.includes(n.text)) used = true;
    else ts.forEachChild(n, visit);
  };
  visit(root);
  return used;
}

/** The first `if` that asks for a name. Undefined where there is none. */
function testsOn(unit: Unit, name: string, root: ts.Node): ExtendAnswer | undefined {
  const { ts } = unit;
  let found: ExtendAnswer | undefined;
  const asks = (n: ts.Node): boolean => (ts.isIdentifier(n) && n.text === name) || ts.forEachChild(n, (c) => (asks(c) ? true : undefined)) === true;
  const visit = (n: ts.Node): void => {
    if (found?.kind === 'heeded') return;
    if (ts.isIfStatement(n) && asks(n.expression)) found = branches(unit, n, n.expression);
    else if ((ts.isConditionalExpression(n) && asks(n.condition)) || (ts.isWhileStatement(n) && asks(n.expression))) found = { kind: 'heeded', node: n };
    else if (ts.isBinaryExpression(n) && (n.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || n.operatorToken.kind === ts.SyntaxKind.BarBarToken) && asks(n.left) && ts.isExpressionStatement(n.parent)) found = { kind: 'heeded', node: n };
    else if ((ts.isReturnStatement(n) || ts.isCallExpression(n)) && ts.forEachChild(n, (c) => (ts.isIdentifier(c) && c.text === name ? true : undefined)) === true) found ??= { kind: 'unknown', node: n };
    ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

/** Which branch a failed renewal takes, and whether it acts. */
function branches(unit: Unit, test: ts.IfStatement, condition: ts.Expression): ExtendAnswer {
  const fails = failsWhenTrue(unit, condition);
  const lost = fails === false ? test.elseStatement : test.thenStatement;
  if (fails === undefined) return { kind: 'heeded', node: test };
  // The branch of success leaves: what follows is for the loser.
  if (!fails && test.elseStatement === undefined) {
    if (leaves(unit, test.thenStatement, 'round')) return restActs(unit, test);
    return { kind: 'logged', node: test };
  }
  if (lost === undefined) return { kind: 'logged', node: test };
  const onward = workBehindLoop(unit, lost);
  if (onward !== undefined) return { kind: 'onward', node: onward };
  return { kind: kindOf(handlerActs(unit, lost)), node: test };
}

/** What stands behind a branch that leaves. */
function restActs(unit: Unit, test: ts.IfStatement): ExtendAnswer {
  const { ts } = unit;
  if (!ts.isBlock(test.parent)) return { kind: 'unknown', node: test };
  const rest = test.parent.statements.slice(test.parent.statements.indexOf(test) + 1).map((s) => handlerActs(unit, s));
  const best = rest.find((r) => r === 'acts') ?? rest.find((r) => r === 'unknown') ?? rest.find((r) => r === 'told') ?? 'logged';
  return { kind: kindOf(best), node: test };
}

/** Whether a test is true when the renewal failed; undefined where it cannot be told. */
function failsWhenTrue(unit: Unit, condition: ts.Expression): boolean | undefined {
  const { ts } = unit;
  const e = bare(unit, condition);
  const K = ts.SyntaxKind;
  const counted = ts.isBinaryExpression(e) ? bare(unit, e.left) : e;
  // `failedIds.length > 0` counts those that are lost.
  if (isCountOfLost(unit, counted)) return ts.isBinaryExpression(e) ? e.operatorToken.kind !== K.EqualsEqualsEqualsToken && e.operatorToken.kind !== K.EqualsEqualsToken : true;
  if (ts.isPrefixUnaryExpression(e) && e.operator === K.ExclamationToken) {
    const inner = failsWhenTrue(unit, e.operand);
    return inner === undefined ? undefined : !inner;
  }
  if (ts.isBinaryExpression(e)) {
    const right = bare(unit, e.right);
    const op = e.operatorToken.kind;
    const isZero = (ts.isNumericLiteral(right) && right.text === '0') || right.kind === K.FalseKeyword || right.kind === K.NullKeyword || (ts.isIdentifier(right) && right.text === 'undefined');
    const isOne = (ts.isNumericLiteral(right) && right.text === '1') || ts.isBigIntLiteral(right) || right.kind === K.TrueKeyword || (ts.isStringLiteralLike(right) && right.text === 'OK');
    if (!isZero && !isOne) return undefined;
    if (op === K.EqualsEqualsEqualsToken || op === K.EqualsEqualsToken) return isZero;
    if (op === K.ExclamationEqualsEqualsToken || op === K.ExclamationEqualsToken) return !isZero;
    if (op === K.LessThanToken) return isOne ? true : undefined;
    return op === K.GreaterThanToken && isZero ? false : undefined;
  }
  return ts.isIdentifier(e) || ts.isCallExpression(e) || ts.isAwaitExpression(e) || ts.isPropertyAccessExpression(e) ? false : undefined;
}

/** The length of a list whose name says that its items were lost: a renewal of many locks answers with those. */
function isCountOfLost({ ts }: Unit, e: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(e) || !/^(?:length|size)$/.test(e.name.text)) return false;
  const name = ts.isIdentifier(e.expression) ? e.expression.text : ts.isPropertyAccessExpression(e.expression) ? e.expression.name.text : '';
  return /fail|error|lost|expired|stale|stolen|missing|reject|unrenewed|notRenewed/i.test(name);
}

/** An exception of the call: a `catch` around it, a timer, or the callers of its function. */
function thrown(unit: Unit, call: ts.Node, fn: ts.Node, depth: number): ExtendAnswer {
  const { ts } = unit;
  for (let n: ts.Node = call; n !== fn && n.parent; n = n.parent) {
    const p = n.parent;
    if (!ts.isTryStatement(p) || p.tryBlock !== n || p.catchClause === undefined) continue;
    const acts = handlerActs(unit, p.catchClause.block, { inFunction: true });
    return { kind: kindOf(acts), node: p.catchClause };
  }
  if (isTimerCallback(unit, fn)) return { kind: 'unhandled', node: call };
  return ofCallers(unit, fn, 'throws', call, depth);
}

function returned(unit: Unit, fn: ts.Node, tells: Tells | undefined, call: ts.CallExpression, depth: number): ExtendAnswer {
  if (isTimerCallback(unit, fn)) return { kind: 'dropped', node: call };
  return ofCallers(unit, fn, tells, call, depth);
}

/** The callers in the file: what the first timer or floating call among them does with it. */
function ofCallers(unit: Unit, fn: ts.Node, tells: Tells | undefined, call: ts.Node, depth: number): ExtendAnswer {
  if (depth > 2 || !isFunctionWithBody(unit, fn)) return { kind: 'heeded', node: call };
  const { calls } = callersOf(unit, fn);
  const answers = calls.map((c) => answerOf(unit, c, tells, depth + 1)).filter((a) => a.kind !== 'heeded' && a.kind !== 'unknown');
  return answers[0] ?? { kind: 'heeded', node: call };
}

/** A function that a timer runs, where it stands or by its name: nobody awaits what it gives. */
function isTimerCallback(unit: Unit, fn: ts.Node): boolean {
  const p = fn.parent;
  if (p !== undefined && unit.ts.isCallExpression(p) && /^set(?:Interval|Timeout|Immediate)$/.test(calledName(unit, p)) && p.arguments[0] === fn) return true;
  return timerCallbacks(unit).has(fn);
}

function isInTimer(unit: Unit, node: ts.Node): boolean {
  return isTimerCallback(unit, enclosingFunction(unit, node));
}
