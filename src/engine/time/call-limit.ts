import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { bare, followed, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { millisecondsOf, scaleOfName, textMilliseconds, type Resolve } from './duration.js';

const LIMIT = /^(?:timeout|timeoutMs|timeoutMillis|timeoutMilliseconds|timeoutSec\w*|timeoutInMs|timeoutMinutes|requestTimeout\w*|responseTimeout\w*|executionTimeout\w*|hardTimeout\w*|totalTimeout\w*|max(?:Duration|Time|RunTime|Runtime|ExecutionTime)\w*|deadlineMs|timeLimit\w*|abortAfter\w*)$/;
/** Options that count in seconds where their name does not say. */
const IN_SECONDS = /^(?:maxDuration)$/;

/** The time after which a call gives up by its own options: `{ timeoutMs: 90_000 }`, `{ signal: AbortSignal.timeout(5_000) }`, `{ timeout: '30s' }`. */
export function limitOf(unit: Unit, call: ts.CallExpression, resolve: Resolve): number | undefined {
  const { ts } = unit;
  for (const argument of call.arguments) {
    const e = ts.isSpreadElement(argument) ? undefined : followed(unit, argument);
    if (e === undefined) continue;
    const limit = ts.isObjectLiteralExpression(e) ? limitIn(unit, e, resolve, 0) : signalLimit(unit, e, resolve);
    if (limit !== undefined) return limit;
  }
  return undefined;
}

/** The time limit of the client a call is made on: `axios.create({ timeout })`, `new OpenAI({ timeout })`, held in a name. */
export function clientLimit(unit: Unit, call: ts.CallExpression, resolve: Resolve): number | undefined {
  const { ts } = unit;
  let e = bare(unit, call.expression);
  while (ts.isPropertyAccessExpression(e) && e.expression.kind !== ts.SyntaxKind.ThisKeyword) e = bare(unit, e.expression);
  const made = ts.isPropertyAccessExpression(e) ? fieldValue(unit, e) : ts.isIdentifier(e) ? followed(unit, e) : undefined;
  if (made === undefined || !(ts.isNewExpression(made) || ts.isCallExpression(made))) return undefined;
  if (ts.isCallExpression(made) && !/^(?:create|extend|instance|defaults|make|build|new)\w*$/.test(calledName(unit, made))) return undefined;
  for (const argument of made.arguments ?? []) {
    const options = ts.isSpreadElement(argument) ? undefined : followed(unit, argument);
    const limit = options !== undefined && ts.isObjectLiteralExpression(options) ? limitIn(unit, options, resolve, 0) : undefined;
    if (limit !== undefined) return limit;
  }
  return undefined;
}

/** The initialiser of a field of the class around `this.field`. */
function fieldValue(unit: Unit, access: ts.PropertyAccessExpression): ts.Expression | undefined {
  const { ts } = unit;
  for (let n: ts.Node | undefined = access.parent; n; n = n.parent) {
    if (!ts.isClassLike(n)) continue;
    const field = n.members.find((m): m is ts.PropertyDeclaration => ts.isPropertyDeclaration(m) && nameText(unit, m.name) === access.name.text);
    return field?.initializer && bare(unit, field.initializer);
  }
  return undefined;
}

function limitIn(unit: Unit, object: ts.ObjectLiteralExpression, resolve: Resolve, depth: number): number | undefined {
  const { ts } = unit;
  for (const p of object.properties) {
    const name = ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p) ? nameText(unit, p.name) : '';
    const value = ts.isPropertyAssignment(p) ? p.initializer : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
    if (value === undefined) continue;
    const e = followed(unit, value);
    if (name === 'signal' || name === 'abortSignal') {
      const limit = signalLimit(unit, e, resolve);
      if (limit !== undefined) return limit;
    }
    if (!LIMIT.test(name)) continue;
    // `timeout: { request: 5_000 }` of got.
    if (ts.isObjectLiteralExpression(e) && depth === 0) {
      const request = e.properties.find((q): q is ts.PropertyAssignment => ts.isPropertyAssignment(q) && nameText(unit, q.name) === 'request');
      const limit = request && millisecondsOf(unit, request.initializer, 1, resolve);
      if (limit !== undefined) return limit;
    }
    const limit = millisecondsOf(unit, value, scaleOfName(name) ?? (IN_SECONDS.test(name) ? 1000 : 1), resolve);
    if (limit !== undefined) return limit;
  }
  return undefined;
}

/** `AbortSignal.timeout(ms)`, alone or among others in `AbortSignal.any([..])`. */
function signalLimit(unit: Unit, e: ts.Expression, resolve: Resolve): number | undefined {
  const { ts } = unit;
  if (!ts.isCallExpression(e)) return undefined;
  const callee = e.expression.getText(unit.file);
  const [first] = e.arguments;
  if (first === undefined) return undefined;
  if (callee === 'AbortSignal.timeout') return millisecondsOf(unit, first, 1, resolve);
  const list = callee === 'AbortSignal.any' ? bare(unit, first) : undefined;
  if (list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
  const limits = list.elements.flatMap((x) => signalLimit(unit, followed(unit, x), resolve) ?? []);
  return limits.length === 0 ? undefined : Math.min(...limits);
}

/** `sleep(ms)`, `setTimeout(ms)` of timers/promises, `delay('5s')`: the call waits, and does nothing else. */
export function waitOf(unit: Unit, call: ts.CallExpression, resolve: Resolve): number | undefined {
  const [first] = call.arguments;
  const name = calledName(unit, call);
  if (first === undefined || unit.ts.isSpreadElement(first)) return undefined;
  if (!/^(?:sleep\w*|delay\w*|pause|wait|waitMs|waitSeconds|setTimeout|setTimeoutAsync|timeout|snooze)$/.test(name)) return undefined;
  const e = bare(unit, first);
  if (unit.ts.isStringLiteralLike(e)) return textMilliseconds(e.text);
  return millisecondsOf(unit, first, scaleOfName(name) ?? 1, resolve);
}

/** `new Promise((resolve) => setTimeout(resolve, ms))`. */
export function promisedWait(unit: Unit, made: ts.NewExpression, resolve: Resolve): number | undefined {
  const { ts } = unit;
  const [executor] = made.arguments ?? [];
  if (made.expression.getText(unit.file) !== 'Promise' || executor === undefined) return undefined;
  let found: number | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    const ms = ts.isCallExpression(n) && calledName(unit, n) === 'setTimeout' ? n.arguments[1] : undefined;
    if (ms !== undefined && isOnlyCall(n)) found = millisecondsOf(unit, ms, 1, resolve);
    else ts.forEachChild(n, visit);
  };
  visit(executor);
  return found;

  /** The timer is all that the executor does: else it may be the limit of other work. */
  function isOnlyCall(call: ts.Node): boolean {
    let others = 0;
    const count = (n: ts.Node): void => {
      if (n !== call && (ts.isCallExpression(n) || ts.isNewExpression(n)) && n.pos >= call.end) others++;
      ts.forEachChild(n, count);
    };
    if (executor !== undefined) count(executor);
    return others === 0;
  }
}
