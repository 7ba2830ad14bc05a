import type ts from 'typescript';
import { callTerms } from '../functions/call-terms.js';
import { programCallers } from '../functions/program-callers.js';
import type { AccessNode } from '../operations/state-access.js';
import { isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import { showTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { sameColumn } from './accesses.js';
import { lockCover, type LockCover } from './lock-cover.js';
import { wholeFunction } from './rivals.js';
import { statesOfTerm } from './states.js';
import { identityOf, type Transition } from './transition.js';
import { Kept } from '../kept.js';

/** One who writes a target: a write, or the call of a store's method that stands for it, where the call says from which state to which. */
export interface Writer {
  readonly transition: Transition;
  /** Where it stands: the write, or the call. */
  readonly unit: Unit;
  readonly node: AccessNode;
  /** States it accepts: texts for people, `any` where its condition names none. */
  readonly from: readonly string[] | 'any';
  readonly to: readonly string[] | 'unknown';
  readonly lock: LockCover;
}

const known = new Kept<Transition, readonly Writer[]>();
/** A store may hand on to others of its kind. */
const LEVELS = 2;

/** The writers that a transition stands for: its callers in other files where it does nothing but write, or where they name the states; else itself. */
export function writersOf(transition: Transition): readonly Writer[] {
  const held = known.get(transition);
  if (held !== undefined) return held;
  const { unit, write, grade } = transition;
  const identity = identityOf(write);
  const own: Writer = { transition, unit, node: write.node, from: grade.from, to: grade.to, lock: lockCover(unit, write.node, identity) };
  const found = expanded(own, identity, LEVELS, new Set());
  const writers = found.length === 0 ? [own] : found;
  known.set(transition, writers);
  return writers;
}

/** The calls in place of a write; none where it speaks for itself or not all calls are in sight. */
function expanded(writer: Writer, identity: readonly Term[], level: number, seen: Set<ts.Node>): readonly Writer[] {
  const { unit, node, transition } = writer;
  const fn = wholeFunction(unit, node);
  if (level === 0 || unit.ts.isSourceFile(fn) || !isFunctionWithBody(unit, fn) || seen.has(fn)) return [];
  const { calls, unseen } = programCallers(unit, fn);
  if (unseen !== undefined || calls.length === 0 || calls.length > 24) return [];
  const isStore = doesNothingElse(unit, fn, node) && calls.some((c) => c.unit !== unit);
  const { from, to } = stateTerms(transition);
  const namesStates = node === transition.write.node && [...from, ...to].some((t) => callsOwnParameter(t, unit, fn));
  if (!isStore && !namesStates) return [];
  seen.add(fn);
  return calls.flatMap(({ unit: there, call }): readonly Writer[] => {
    const terms = callTerms(there, call, { unit, fn });
    const row = terms === undefined ? [] : identity.flatMap((t) => terms.inCaller(t) ?? []);
    const at: Writer = {
      transition, unit: there, node: call, lock: writer.lock.kind === 'covered' && writer.lock.here ? writer.lock : lockCover(there, call, row),
      from: writer.from === 'any' ? statesAt(from, (t) => terms?.inCaller(t)) ?? 'any' : writer.from,
      to: writer.to === 'unknown' ? statesAt(to, (t) => terms?.inCaller(t)) ?? 'unknown' : writer.to,
    };
    const inner = seen.has(wholeFunction(there, call)) ? [] : expanded(at, row, level - 1, seen);
    if (inner.length > 0) return inner;
    // What only hands on to others of its kind, which are being asked, writes nothing of its own.
    return seen.has(wholeFunction(there, call)) || isHandedOn(there, call, seen) ? [] : [at];
  });
}

/** A method that only hands on, and is reached by the very calls that reach one which is being asked: both implement one interface. */
function isHandedOn(unit: Unit, call: ts.CallExpression, seen: ReadonlySet<ts.Node>): boolean {
  const fn = wholeFunction(unit, call);
  if (unit.ts.isSourceFile(fn) || !doesNothingElse(unit, fn, call)) return false;
  const own = new Set(programCallers(unit, fn).calls.map((c) => c.call));
  return [...seen].some((other) => isFunctionWithBody(unit, other) && programCallers(unit, other).calls.some((c) => own.has(c.call)));
}

/** No other call is awaited in a function. */
function doesNothingElse(unit: Unit, fn: ts.FunctionLikeDeclaration, node: AccessNode): boolean {
  const { ts } = unit;
  const whole = wholeValue(unit, node);
  const waits = (n: ts.Node): boolean => (ts.isAwaitExpression(n) && !(n.pos <= node.pos && n.end >= node.end) && !(n.pos >= node.pos && n.end <= node.end) && wholeValue(unit, n) !== whole)
    || ts.forEachChild(n, (child) => (waits(child) ? true : undefined)) === true;
  return fn.body !== undefined && !waits(fn.body);
}

function callsOwnParameter(term: Term, unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const root = term.kind === 'path' ? term.base : term;
  if (root.kind !== 'symbol') return false;
  const at = Number(root.id.slice(root.id.lastIndexOf('#') + 1).replace('param', ''));
  return root.id.startsWith(`${unit.path}#`) && fn.parameters.some((p) => at >= p.pos && at <= p.end);
}

/** What the condition expects of the state column and what the statement puts there. */
function stateTerms({ write, gate: { stateColumn } }: Transition): { readonly from: readonly Term[]; readonly to: readonly Term[] } {
  if (stateColumn === undefined) return { from: [], to: [] };
  return {
    from: write.where.filter((c) => !c.mayBeAbsent && (c.op === 'eq' || c.op === 'in') && sameColumn(c.column, stateColumn)).flatMap((c) => c.values),
    to: write.set.filter((a) => sameColumn(a.column, stateColumn)).flatMap((a) => a.value ?? []),
  };
}

/** The states that terms stand for at a call; an expression that is no state in sight is told as it is spelled. */
function statesAt(terms: readonly Term[], inCaller: (term: Term) => Term | undefined): readonly string[] | undefined {
  const there = terms.map(inCaller);
  if (there.length === 0 || there.some((t) => t === undefined)) return undefined;
  return there.flatMap((t) => (t === undefined ? [] : statesOfTerm(t) ?? [showTerm(t)]));
}
