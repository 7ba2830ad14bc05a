import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { connectionOf, ROOT_NAME, type Handed } from '../operations/connection.js';
import { isTransactionAsserted, transactionOpen } from '../operations/transaction-open.js';
import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { calledFunction } from './called-function.js';
import { callersOf } from './callers.js';

/** A call on the way from the place that chose the connection to the statement. */
export interface Via {
  readonly unit: Unit;
  readonly call: ts.CallExpression;
}

/**
 * How a statement stands to its connection. `transaction`: one is open on it. `session`: one connection, and no transaction was begun on it. `pinned`: one connection,
 * of whose transaction nothing is known. `own`: a pool that nobody else uses. `pool`: each statement may get another connection; `assumed` where only type and name of a parameter say so.
 */
export interface Standing {
  readonly kind: 'transaction' | 'session' | 'pinned' | 'own' | 'pool' | 'unknown';
  readonly sure: boolean;
  readonly assumed: boolean;
  /** The calls through which the connection came, outermost first. */
  readonly via: readonly Via[];
  /** Other callers hand over a transaction: only the way of `via` is wrong. */
  readonly mixed: boolean;
  /** Some caller in sight hands over a pool that it has made for itself. */
  readonly own?: boolean;
}

const DEPTH = 3;
/** A name that this many files mention leads to too many calls to follow. */
const FILES = 12;
const UNKNOWN: Standing = { kind: 'unknown', sure: false, assumed: false, via: [], mixed: false };

export function standingOf(unit: Unit, node: ts.Node, client: ts.Expression, depth = DEPTH): Standing {
  const connection = connectionOf(unit, client);
  const at = (kind: Standing['kind'], sure = true): Standing => ({ ...UNKNOWN, kind, sure });
  if (isTransactionAsserted(unit, node, client)) return at('transaction');
  switch (connection.kind) {
    // A pool by its type stays one, but for callers that have made it for themselves.
    case 'pool': return connection.own === true ? at('own') : connection.handed === undefined || isOthers(fromCallers(unit, connection.handed, depth)) ? at('pool', connection.sure) : { ...UNKNOWN, own: true };
    case 'transaction': return at('transaction');
    case 'session': {
      const open = transactionOpen(unit, node, client);
      return at(open === 'open' ? 'transaction' : open === 'none' && connection.taken !== undefined ? 'session' : 'pinned');
    }
    case 'parameter': {
      if (connection.type !== 'root' && transactionOpen(unit, node, client) === 'open') return at('transaction');
      const standing = fromCallers(unit, connection, depth);
      // A maker gets the pool or a transaction, and of what it makes the one may never be asked for this statement.
      return standing.mixed && isMade(unit, node, connection.fn) ? UNKNOWN : standing;
    }
    default: return UNKNOWN;
  }
}

/** A function that `maker` makes for later, `const lock = async () => ..`, holds the node; what a call runs at once is no such function. */
function isMade({ ts }: Unit, node: ts.Node, maker: ts.Node): boolean {
  for (let n = node; n !== maker && !ts.isSourceFile(n); n = n.parent) if (ts.isFunctionLike(n) && !ts.isCallExpression(n.parent)) return true;
  return false;
}

/**
 * The house's own `query(text, values)`: stands as the statement in its body does. A connection that the body checks out for itself is given back when it returns, so that
 * it is a pool to whoever calls. Undefined where no body in sight hands the text on.
 */
export function standingOfWrapper(unit: Unit, node: ts.Node, depth = MOST_WRAPPERS): Standing | undefined {
  const called = unit.ts.isCallExpression(node) ? calledFunction(unit, node) : undefined;
  const inner = called && handsOn(called.unit, called.fn);
  if (called === undefined || inner === undefined) return undefined;
  if (!isMethodCall(unit, inner)) return depth === 0 ? undefined : standingOfWrapper(called.unit, inner, depth - 1);
  const standing = standingOf(called.unit, inner, inner.expression.expression);
  return standing.kind === 'session' && takesItself(called.unit, inner) ? { ...standing, kind: 'pool' } : standing;
}

type MethodCall = ts.CallExpression & { readonly expression: ts.PropertyAccessExpression };

/** A query function of the house may stand on another one. */
const MOST_WRAPPERS = 2;

/** `pool.query(text, values)` or `run(text, values)` with the function's own first parameter. */
function handsOn(unit: Unit, fn: ts.FunctionLikeDeclaration): ts.CallExpression | undefined {
  const { ts } = unit;
  const first = fn.parameters[0]?.name;
  if (first === undefined || !ts.isIdentifier(first)) return undefined;
  let found: ts.CallExpression | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isCallExpression(n) && n.arguments.some((a) => ts.isIdentifier(a) && a.text === first.text) && mayRun(n)) found = n;
    else ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;

  function mayRun(call: ts.CallExpression): boolean {
    return isMethodCall(unit, call) ? /^(?:query|execute|unsafe|raw)$/.test(call.expression.name.text) : ts.isIdentifier(call.expression);
  }
}

function isMethodCall({ ts }: Unit, call: ts.CallExpression): call is MethodCall {
  return ts.isPropertyAccessExpression(call.expression);
}

function takesItself(unit: Unit, inner: MethodCall): boolean {
  const connection = connectionOf(unit, inner.expression.expression);
  return connection.kind === 'session' && connection.taken !== undefined;
}

/** Nothing in sight says that it was made for this one call. */
function isOthers({ kind, own }: Standing): boolean {
  return own !== true && kind !== 'own';
}

function fromCallers(unit: Unit, parameter: Handed, depth: number): Standing {
  const calls = depth === 0 ? [] : callsOf(unit, parameter.fn);
  if (calls.length === 0) return assumed(parameter);
  const all = calls.map((via): Standing => {
    const given = via.call.arguments[parameter.index];
    const standing = given === undefined || via.unit.ts.isSpreadElement(given) ? UNKNOWN : standingOf(via.unit, via.call, given, depth - 1);
    return { ...standing, via: [...standing.via, via] };
  });
  const wrong = all.find((s) => s.kind === 'pool') ?? all.find((s) => s.kind === 'session');
  if (all.some((s) => !isOthers(s))) return { ...UNKNOWN, own: true };
  if (wrong === undefined) return all.every((s) => s.kind === 'transaction') ? { ...UNKNOWN, kind: 'transaction', sure: true } : all.every((s) => s.kind !== 'unknown') ? { ...UNKNOWN, kind: 'pinned' } : UNKNOWN;
  const fits = all.some((s) => s.kind === 'transaction');
  return { ...wrong, mixed: fits, sure: wrong.sure && all.every((s) => s.kind !== 'unknown') };
}

/** Nobody in sight calls it: its type and its name are all there is. */
function assumed({ name, type }: Handed): Standing {
  if (type === 'session') return { ...UNKNOWN, kind: 'pinned' };
  if (type === 'either') return UNKNOWN;
  if (/^(?:pool|\w+Pool)$/.test(name)) return { ...UNKNOWN, kind: 'pool' };
  return type === 'root' && ROOT_NAME.test(name) ? { ...UNKNOWN, kind: 'pool', assumed: true } : UNKNOWN;
}

/** The calls of a function in its own file, and in others where those can be reached. */
function callsOf(unit: Unit, fn: ts.FunctionLikeDeclaration): readonly Via[] {
  const callers = callersOf(unit, fn);
  const here = callers.calls.map((call): Via => ({ unit, call }));
  if (!callers.exported) return here;
  const whole = functionName(unit, fn);
  const name = whole.slice(whole.lastIndexOf('.') + 1);
  const others = unit.mentionedIn(name, FILES, (path) => path !== unit.path && !/\.(?:test|spec)\.|__tests__|\/tests?\//.test(path)) ?? [];
  return others === 'too-many' ? here : [...here, ...others.flatMap((path) => unit.unitAt(path) ?? []).flatMap((other) => callsIn(other, name, fn))];
}

function callsIn(unit: Unit, name: string, fn: ts.FunctionLikeDeclaration): Via[] {
  const found: Via[] = [];
  const visit = (node: ts.Node): void => {
    if (unit.ts.isCallExpression(node) && calledName(unit, node) === name && calledFunction(unit, node)?.fn === fn) found.push({ unit, call: node });
    unit.ts.forEachChild(node, visit);
  };
  visit(unit.file);
  return found;
}
