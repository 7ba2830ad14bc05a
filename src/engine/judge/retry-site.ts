import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, enclosingFunction, isFunctionWithBody, settled } from '../syntax/expression.js';
import { walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';

/**
 * Where a function asks again for the same lock. `head`: the loop's keyword or the call that starts the next try. `round`: the node whose parts belong to one try.
 * `recalls`: the calls that start the next try, for all that is no loop.
 */
export interface RetrySite {
  readonly kind: 'loop' | 'recursion' | 'interval';
  readonly head: ts.Node;
  readonly round: ts.Node;
  readonly recalls: readonly ts.Node[];
}

/** The loop, recursion or timer that repeats an acquire, as far as its function and the code around it show. Whether it repeats after a refusal is told by the paths. */
export function retrySite(unit: Unit, acquire: AcquireOperation): RetrySite | undefined {
  return loopSite(unit, acquire) ?? recursionSite(unit, acquire) ?? intervalSite(unit, acquire);
}

/** The innermost loop whose rounds ask for one and the same key. */
function loopSite(unit: Unit, acquire: AcquireOperation): RetrySite | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  for (let n: ts.Node = acquire.node; n !== fn; n = n.parent) {
    if (!ts.isIterationStatement(n, false) || isOwnKey(unit, acquire.key, n)) continue;
    return { kind: 'loop', head: n.getFirstToken(unit.file) ?? n, round: n, recalls: [] };
  }
  return undefined;
}

/** Each round names another key: by a name of the loop, by one that the loop assigns, or by an answer that it asks for. */
function isOwnKey(unit: Unit, key: Term, loop: ts.Node): boolean {
  const isWithin = (pos: number): boolean => pos >= loop.pos && pos < loop.end;
  const prefix = `${unit.path}#`;
  let own = false;
  walkTerm(key, (t) => {
    if (t.kind === 'symbol' && t.id.startsWith(prefix)) {
      const at = Number(t.id.slice(prefix.length).replace('param', ''));
      own ||= isWithin(at) || (unit.scopes.lookup(t.name, loop)?.writes.some((w) => isWithin(w.pos)) ?? false);
    }
    if (t.kind === 'call' && t.site > 0 && isWithin(t.site) && t.args.length === 0) own = true;
    if (t.kind === 'unknown' && t.parts.length === 0) own = true;
  });
  return own;
}

/** `return this.take(id)` after a refusal, `setTimeout(attempt, 50)`. */
function recursionSite(unit: Unit, acquire: AcquireOperation): RetrySite | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  if (ts.isSourceFile(fn)) return undefined;
  const recalls: ts.Node[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && n !== acquire.node && (leadsTo(unit, n, fn) || isHandedBack(unit, n, fn))) recalls.push(callIn(unit, n, fn));
    ts.forEachChild(n, visit);
  };
  if (fn.body !== undefined) visit(fn.body);
  const head = recalls[0];
  return head && { kind: 'recursion', head, round: fn, recalls };
}

/** The function itself, or one whose body does no more than to call it: the body of a function may stand in a helper of its own. */
function leadsTo(unit: Unit, call: ts.CallExpression, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  const called = calledFunction(unit, call);
  if (called === undefined || called.fn === fn) return called !== undefined;
  const body = called.unit === unit ? called.fn.body : undefined;
  const [only, ...others] = body === undefined ? [] : ts.isBlock(body) ? body.statements : [];
  if (only === undefined || others.length > 0 || !(ts.isReturnStatement(only) || ts.isExpressionStatement(only)) || only.expression === undefined) return false;
  const inner = settled(unit, only.expression);
  return ts.isCallExpression(inner) && calledFunction(unit, inner)?.fn === fn;
}

/** The function itself is handed to a timer or a promise: `setTimeout(attempt, 50)`, `sleep(50).then(attempt)`. */
function isHandedBack(unit: Unit, call: ts.CallExpression, fn: ts.Node): boolean {
  const { ts } = unit;
  if (!/^(?:setTimeout|setImmediate|nextTick|queueMicrotask|then|delay)$/.test(calledName(unit, call))) return false;
  return call.arguments.some((a) => {
    const e = bare(unit, a);
    const d = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
    return d !== undefined && (d === fn || (ts.isVariableDeclaration(d) && d.initializer !== undefined && bare(unit, d.initializer) === fn));
  });
}

/** The call of the function's own body that a call in a closure of it belongs to: the timer that runs the closure. */
function callIn(unit: Unit, node: ts.Node, fn: ts.Node): ts.Node {
  let own = node;
  for (let n = node; n !== fn; n = n.parent) {
    if (isFunctionWithBody(unit, n)) own = n.parent;
  }
  return own;
}

/** `const timer = setInterval(async () => { .. }, 100)`, a round of which asks for the lock. */
function intervalSite(unit: Unit, acquire: AcquireOperation): RetrySite | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const call = fn.parent;
  if (ts.isSourceFile(fn) || !ts.isCallExpression(call) || calledName(unit, call) !== 'setInterval' || call.arguments[0] !== fn) return undefined;
  return { kind: 'interval', head: call, round: fn, recalls: [] };
}
