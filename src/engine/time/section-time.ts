import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { callTerms } from '../functions/call-terms.js';
import { calledFunction } from '../functions/called-function.js';
import type { ReadableFunction } from '../functions/summary.js';
import { bare, followed, isFunctionWithBody, nameText } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { toldMaxDuration } from '../syntax/told-facts.js';
import type { Unit } from '../syntax/unit.js';
import { clientLimit, limitOf, promisedWait, waitOf } from './call-limit.js';
import { workOf } from './call-work.js';
import { millisecondsOf, scaleOfName, type Resolve } from './duration.js';
import { leaves } from './leaves.js';
import { roundsOf } from './loop-rounds.js';
import { asOneStep, inTurn, longestOf, NOTHING_SPENT, worstWork, type KnownStep, type Spent, type Work } from './spent.js';

/** The part of a function whose time is added up. */
export interface Section {
  readonly unit: Unit;
  /** Whether a place lies in it at all: held by the lock. */
  counts(node: ts.Node): boolean;
  /** Calls that are left aside: those of the lock itself. */
  skips(call: ts.Node): boolean;
}

interface Context extends Section {
  readonly resolve: Resolve;
  readonly depth: number;
  /** What the function gives back is awaited by who calls it. */
  readonly returns: boolean;
}

const DEEPEST = 3;

/** How long a function takes, as far as its code tells: only what it awaits, and what blocks it. */
export function timeOf(section: Section, fn: ts.Node, returns: boolean): Spent {
  const body = isFunctionWithBody(section.unit, fn) ? fn.body : fn;
  return body === undefined ? NOTHING_SPENT : timeOfBody({ ...section, resolve: (t) => t, depth: 0, returns }, body);
}

function timeOfBody(context: Context, body: ts.Node): Spent {
  const { ts } = context.unit;
  if (ts.isBlock(body) || ts.isSourceFile(body)) return timeOfNode(context, body);
  return context.returns && !ts.isStatement(body) ? timeAwaited(context, body as ts.Expression) : timeOfNode(context, body);
}

function timeOfNode(context: Context, node: ts.Node): Spent {
  const { unit } = context;
  const { ts } = unit;
  if (ts.isFunctionLike(node) || ts.isTypeNode(node)) return NOTHING_SPENT;
  if (ts.isBlock(node) || ts.isSourceFile(node) || ts.isCaseOrDefaultClause(node)) return timeOfStatements(context, node.statements);
  if (ts.isAwaitExpression(node)) return context.counts(node) ? timeAwaited(context, node.expression) : timeOfParts(context, node);
  if (ts.isReturnStatement(node) && context.returns && node.expression !== undefined) return timeAwaited(context, node.expression);
  if (ts.isIfStatement(node)) return inTurn([timeOfNode(context, node.expression), longestOf([timeOfNode(context, node.thenStatement), node.elseStatement === undefined ? NOTHING_SPENT : timeOfNode(context, node.elseStatement)])]);
  if (ts.isConditionalExpression(node)) return inTurn([timeOfNode(context, node.condition), longestOf([timeOfNode(context, node.whenTrue), timeOfNode(context, node.whenFalse)])]);
  if (ts.isSwitchStatement(node)) return inTurn([timeOfNode(context, node.expression), longestOf(node.caseBlock.clauses.map((c) => timeOfNode(context, c)))]);
  if (ts.isIterationStatement(node, false)) return timeOfLoop(context, node);
  if (ts.isCallExpression(node) && /^(?:exec|execFile|spawn)Sync$|^(?:execaSync|\$sync)$/.test(calledName(unit, node)) && context.counts(node)) return timeOfCall(context, node, node);
  return timeOfParts(context, node);
}

function timeOfParts(context: Context, node: ts.Node): Spent {
  const parts: Spent[] = [];
  context.unit.ts.forEachChild(node, (child) => {
    parts.push(timeOfNode(context, child));
  });
  return inTurn(parts);
}

/** A branch that leaves is another way, not a step before the rest. */
function timeOfStatements(context: Context, nested: readonly ts.Statement[]): Spent {
  const { ts } = context.unit;
  // A block among statements is no way of its own.
  const flat = (s: ts.Statement): readonly ts.Statement[] => (ts.isBlock(s) ? s.statements.flatMap(flat) : [s]);
  const statements = nested.flatMap(flat);
  const at = statements.findIndex((s) => ts.isIfStatement(s) && s.elseStatement === undefined && leaves(context.unit, s.thenStatement, 'round'));
  const branch = statements[at];
  if (branch === undefined || !ts.isIfStatement(branch)) return inTurn(statements.map((s) => timeOfNode(context, s)));
  const before = statements.slice(0, at).map((s) => timeOfNode(context, s));
  return inTurn([...before, timeOfNode(context, branch.expression), longestOf([timeOfNode(context, branch.thenStatement), timeOfStatements(context, statements.slice(at + 1))])]);
}

function timeOfLoop(context: Context, loop: ts.IterationStatement): Spent {
  const { unit } = context;
  const rounds = roundsOf(unit, loop, context.resolve);
  const once = timeOfParts(context, loop);
  if (rounds.kind === 'count') return rounds.count <= 1 || once.ms === 0 ? once : { ...asOneStep(once, loop, unit, 'rounds', rounds.count), open: once.open, loops: once.loops };
  if (rounds.kind === 'bounded') return { ...once, watched: true };
  const isStream = unit.ts.isForOfStatement(loop) && loop.awaitModifier !== undefined && context.counts(loop);
  const work = worstWork(once) ?? (once.steps.length > 0 || isStream ? 'opaque' : undefined);
  return work === undefined ? once : { ...once, loops: [{ node: loop, kind: rounds.kind, work }, ...once.loops] };
}

/** What is awaited: a wait, a call with a limit, a function that can be read, or something that says nothing of its end. */
function timeAwaited(context: Context, awaited: ts.Expression): Spent {
  const { unit } = context;
  const { ts } = unit;
  const e = bare(unit, awaited);
  if (ts.isAwaitExpression(e)) return timeOfNode(context, e);
  if (ts.isNewExpression(e)) {
    const ms = promisedWait(unit, e, context.resolve);
    return ms === undefined ? open(e, 'opaque') : known('wait', e, ms);
  }
  if (ts.isConditionalExpression(e)) return longestOf([timeAwaited(context, e.whenTrue), timeAwaited(context, e.whenFalse)]);
  if (ts.isCallExpression(e)) return timeOfCall(context, e, e);
  if (ts.isIdentifier(e)) {
    const made = followed(unit, e);
    return made !== e && ts.isCallExpression(made) ? timeOfCall(context, made, e) : NOTHING_SPENT;
  }
  return ts.isTaggedTemplateExpression(e) ? open(e, workOf(unit, e).work) : timeOfNode(context, e);
}

function timeOfCall(context: Context, call: ts.CallExpression, shown: ts.Node): Spent {
  const { unit, resolve } = context;
  const { ts } = unit;
  if (context.skips(call)) return NOTHING_SPENT;
  const name = calledName(unit, call);
  const on = ts.isPropertyAccessExpression(call.expression) ? bare(unit, call.expression.expression) : undefined;
  if (on !== undefined && /^(?:then|catch|finally)$/.test(name)) return timeAwaited(context, on);
  if (on !== undefined && ts.isIdentifier(on) && on.text === 'Promise') return timeOfGroup(context, call, name);
  const within = inTurn(call.arguments.map((a) => timeOfNode(context, a)));
  const wait = waitOf(unit, call, resolve);
  if (wait !== undefined) return inTurn([within, known('wait', shown, wait)]);
  const limit = limitOf(unit, call, resolve) ?? raceLimit(context, call, name);
  if (limit !== undefined) return inTurn([within, retried(context, call, known('limit', shown, limit), shown)]);
  const called = context.depth < DEEPEST ? calledFunction(unit, call) : undefined;
  if (called !== undefined) return inTurn([within, timeOfCalled(context, call, called, shown)]);
  const handed = call.arguments.map((a) => timeOfHanded(context, a));
  if (handed.some((h) => h !== undefined)) return inTurn([within, retried(context, call, inTurn(handed.filter((h) => h !== undefined)), shown)]);
  const client = clientLimit(unit, call, resolve);
  if (client !== undefined) return inTurn([within, known('limit', shown, client)]);
  const { work, defaultMs } = workOf(unit, call);
  return inTurn([within, defaultMs === undefined ? open(shown, work) : known('default', shown, defaultMs)]);
}

/** A called function, in the terms of its caller. */
function timeOfCalled(context: Context, call: ts.CallExpression, called: ReadableFunction, shown: ts.Node): Spent {
  const ms = toldMaxDuration(called.unit, called.fn);
  if (ms !== undefined) return known('declared', shown, ms);
  const terms = callTerms(context.unit, call, called);
  const resolve: Resolve = (term: Term) => {
    const own = terms?.inCaller(term);
    return own === undefined ? term : context.resolve(own);
  };
  const inner: Context = { unit: called.unit, counts: () => true, skips: called.unit === context.unit ? context.skips : () => false, resolve, depth: context.depth + 1, returns: true };
  const spent = called.fn.body === undefined ? NOTHING_SPENT : timeOfBody(inner, called.fn.body);
  return spent === NOTHING_SPENT ? spent : asOneStep(spent, shown, called.unit, undefined);
}

/** A function that is handed to a call runs at least once while the call does. */
function timeOfHanded(context: Context, argument: ts.Expression): Spent | undefined {
  const { unit } = context;
  const { ts } = unit;
  const e = bare(unit, argument);
  if (!ts.isArrowFunction(e) && !ts.isFunctionExpression(e)) return undefined;
  const spent = timeOfBody({ ...context, counts: () => true, returns: true }, e.body);
  return spent === NOTHING_SPENT ? undefined : spent;
}

/** `Promise.all` lasts as long as its slowest member, `Promise.race` as its fastest. */
function timeOfGroup(context: Context, call: ts.CallExpression, name: string): Spent {
  const { unit } = context;
  const { ts } = unit;
  const [first] = call.arguments;
  const list = first === undefined || ts.isSpreadElement(first) ? undefined : followed(unit, first);
  if (list === undefined) return NOTHING_SPENT;
  if (!ts.isArrayLiteralExpression(list)) {
    const mapper = ts.isCallExpression(list) && calledName(unit, list) === 'map' ? list.arguments[0] : undefined;
    return (mapper && timeOfHanded(context, mapper)) ?? open(call, 'opaque');
  }
  const members = list.elements.map((x) => (ts.isSpreadElement(x) ? NOTHING_SPENT : timeAwaited(context, x)));
  if (name !== 'race' && name !== 'any') return longestOf(members);
  const ended = members.filter((m) => m.ms > 0 && m.open.length === 0 && m.loops.length === 0).sort((a, b) => a.ms - b.ms)[0];
  return ended === undefined ? { ...longestOf(members), watched: true } : known('limit', call, ended.ms);
}

/** `withTimeout(work(), 5_000)`, `pTimeout(work(), { milliseconds: 5_000 })`. */
function raceLimit({ unit, resolve }: Context, call: ts.CallExpression, name: string): number | undefined {
  const { ts } = unit;
  if (!/timeout|timeLimit|deadline/i.test(name)) return undefined;
  for (const argument of call.arguments) {
    const e = followed(unit, argument);
    const option = ts.isObjectLiteralExpression(e) ? e.properties.find((p): p is ts.PropertyAssignment => ts.isPropertyAssignment(p) && scaleOfName(nameText(unit, p.name)) !== undefined) : undefined;
    const ms = option === undefined ? millisecondsOf(unit, argument, 1, resolve) : millisecondsOf(unit, option.initializer, scaleOfName(nameText(unit, option.name)) ?? 1, resolve);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

/** A call that retries does its work again and waits in between: `{ retries: 5, minTimeout: 1_000 }`. */
function retried(context: Context, call: ts.CallExpression, once: Spent, shown: ts.Node): Spent {
  const { unit, resolve } = context;
  const { ts } = unit;
  if (!/retr|attempt|backoff|poll/i.test(calledName(unit, call))) return once;
  let times = 1;
  let pause = 0;
  for (const argument of call.arguments) {
    const e = followed(unit, argument);
    if (!ts.isObjectLiteralExpression(e)) continue;
    for (const p of e.properties) {
      if (!ts.isPropertyAssignment(p)) continue;
      const name = nameText(unit, p.name);
      const count = /^(?:retries|maxRetries|retryCount|attempts|maxAttempts|numOfAttempts|tries|times|limit)$/.test(name) ? millisecondsOf(unit, p.initializer, 1, resolve) : undefined;
      if (count !== undefined) times = /retr/i.test(name) ? count + 1 : count;
      const wait = /^(?:delay|minTimeout|interval|startingDelay|retryDelay|wait|backoff)(?:Ms)?$/.test(name) ? millisecondsOf(unit, p.initializer, 1, resolve) : undefined;
      if (wait !== undefined) pause = wait;
    }
  }
  const ms = once.ms * times + pause * (times - 1);
  if (times <= 1 || ms === 0) return once;
  const all = asOneStep(once, shown, unit, 'rounds');
  return { ...all, ms, steps: [{ ...(all.steps[0] ?? { node: shown }), kind: 'rounds', node: shown, ms }] };
}

function known(kind: KnownStep['kind'], node: ts.Node, ms: number): Spent {
  return { ...NOTHING_SPENT, ms, steps: [{ kind, node, ms }] };
}

function open(node: ts.Node, work: Work): Spent {
  return { ...NOTHING_SPENT, open: [{ node, work }] };
}
