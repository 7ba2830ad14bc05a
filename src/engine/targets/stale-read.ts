import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { callersOf } from '../functions/callers.js';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import { locksHeldAround } from '../functions/locks-held.js';
import type { AcquireOperation } from '../operations/operation.js';
import type { AccessNode, StateRead } from '../operations/state-access.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { derivesFrom, runsBefore, sameColumn, sameTarget, within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';
import { fileTransitions } from './file-transitions.js';
import { readsKey } from '../functions/reads-key.js';
import { readNames, type ReadNames } from './read-names.js';
import { sectionOf, testsHanded, type Section } from './section.js';
import { testBetween } from './state-tests.js';
import { isLifecycleColumn, isStateColumn } from './step-words.js';
import { changes, looks, sameThing, sharesIdentity, touchOf, type Touch } from './touch.js';
import { Kept } from '../kept.js';

/** A read from before the acquire that decides a write under it. */
export interface StaleRead {
  readonly acquire: AcquireOperation;
  readonly read: AccessNode;
  /** `value`: what is written is made of it. `test`: it let the path go on. */
  readonly by: 'value' | 'test';
  readonly test: ts.Expression | undefined;
  /** The writes that hang on it, in the order of the text. */
  readonly writes: readonly [AccessNode, ...AccessNode[]];
  /** Where the read stands in a caller: the call that leads to the acquire. */
  readonly call: ts.CallExpression | undefined;
  /** Read, write and lock are resolved, not told by names. */
  readonly sure: boolean;
  /** The test answers with what was read, as a cache does: the second worker only makes it once more. */
  readonly isCache: boolean;
}

/** What a section makes of reads from before it. `fresh`: it reads again. `none`: nothing is seen that decides on its writes. */
export type SectionReads = { readonly kind: 'stale'; readonly stale: StaleRead } | { readonly kind: 'fresh'; readonly at: AccessNode } | { readonly kind: 'none' };

const NONE: SectionReads = { kind: 'none' };
const known = new Kept<AcquireOperation, SectionReads>();

/** Judges the reads that stand before an acquire, in its function or in callers of its file. */
export function sectionReads(unit: Unit, acquire: AcquireOperation): SectionReads {
  const held = known.get(acquire);
  if (held !== undefined) return held;
  const found = judge(unit, acquire);
  known.set(acquire, found);
  return found;
}

/** More reads or writes than this are not compared with each other. */
const MOST = 16;

function judge(unit: Unit, acquire: AcquireOperation): SectionReads {
  const section = sectionOf(unit, acquire);
  if (section === undefined || section.calls.length === 0) return NONE;
  const holder = { names: section.handed, receiver: acquire.receiver, key: acquire.key };
  const touches = section.calls.slice(0, 4 * MOST).map((c) => touchOf(unit, c, holder));
  const writes = touches.filter((t) => changes(unit, t) && !isGuarded(unit, t)).slice(0, MOST);
  if (writes.length === 0) return NONE;
  const found = staleAt(unit, acquire.node, writes, (read, write) => isReadAgain(unit, section, touches, read, write), undefined, acquire);
  if (found !== undefined) return { kind: 'stale', stale: found };
  const again = fresh(unit, touches, writes);
  if (again.kind === 'fresh') return again;
  const stale = staleInCaller(unit, acquire, enclosingFunction(unit, acquire.node), writes, (read, write) => isReadAgain(unit, section, touches, read, write));
  return stale === undefined ? NONE : { kind: 'stale', stale };
}

function fresh(unit: Unit, touches: readonly Touch[], writes: readonly Touch[]): SectionReads {
  const read = touches.find((t) => looks(t) && writes.some((w) => t.node.end <= w.node.end && sameThing(t, w) && (sharesIdentity(t, w) || t.access !== undefined || derivesFrom(unit, w.node, t.node))));
  return read === undefined ? NONE : { kind: 'fresh', at: read.node };
}

/** Whether the section looks again at what was read before it writes. */
type Again = (read: Touch, write: Touch) => boolean;
/** The call that leads to the acquire, and the one in the function it calls, where that only hands on. */
interface Way { readonly call: ts.CallExpression; readonly inner: ts.CallExpression | undefined }

/** The read before a place that decides on one of the writes behind it. */
function staleAt(unit: Unit, place: ts.Node, writes: readonly Touch[], again: Again, way: Way | undefined, acquire: AcquireOperation): StaleRead | undefined {
  const root = outermost(unit, place);
  if (unit.ts.isSourceFile(root)) return undefined;
  const reads = awaitedCalls(unit, root).filter((n) => runsBefore(unit, n, place)).map((n) => touchOf(unit, n)).filter((t) => looks(t) && !isOfLock(unit, t, acquire)).slice(-MOST);
  for (const read of reads.reverse()) {
    const related = writes.filter((w) => sameThing(read, w));
    if (related.length === 0) continue;
    const names = readNames(unit, read.node, root);
    for (const write of related) {
      const byValue = way === undefined ? carries(unit, write, read, names) : passes(unit, way.call, way.inner ?? write.node, names);
      const test = byValue ? undefined : decidedBefore(unit, read, write, place, names);
      if (!byValue && test === undefined) continue;
      if (again(read, write) || locksHeldAround(unit, read.node).length > 0) continue;
      return {
        acquire, read: read.node, by: byValue ? 'value' : 'test', test: test?.at, call: way?.call, isCache: test?.at !== undefined && answersWith(unit, test.at, names),
        writes: [write.node, ...related.filter((w) => w !== write).map((w) => w.node)],
        sure: [read, write].every((t) => t.access !== undefined && t.access.evidence !== 'name') && acquire.evidence !== 'name',
      };
    }
  }
  return undefined;
}

function outermost(unit: Unit, node: ts.Node): ts.Node {
  let fn: ts.Node = enclosingFunction(unit, node);
  for (let outer = fn; !unit.ts.isSourceFile(outer); outer = enclosingFunction(unit, outer)) fn = outer;
  return fn;
}

/** A read that locks what it reads, or one of the very key that the acquire sets: then the acquire looks again by itself. */
function isOfLock(unit: Unit, { access, node }: Touch, acquire: AcquireOperation): boolean {
  if (access?.kind === 'read' && access.lock !== 'none') return true;
  return node === acquire.node || (unit.ts.isCallExpression(node) && readsKey(unit, node, acquire.key));
}

/** The store or the method compares before it writes. */
function isGuarded(unit: Unit, { node, name, access }: Touch): boolean {
  if (access === undefined) return /If(?:[A-Z]|$)|compare|cas$|swap|conditional/i.test(name);
  const transition = fileTransitions(unit).transitions.find((t) => t.write.node === node);
  if (transition === undefined) return false;
  const { grade, excludesTo } = transition.grade;
  return grade === 'unknown' || grade >= 4 || excludesTo === true || transition.protectedBy?.kind === 'serializable';
}

/** What is written is made of what was read. */
function carries(unit: Unit, write: Touch, read: Touch, names: ReadNames): boolean {
  const { access, node } = write;
  if (access?.kind === 'write') {
    if (access.loadedBy !== undefined) return access.loadedBy === read.node;
    if (access.set.some((a) => a.source === 'code' && a.node !== undefined && names.uses(a.node))) return true;
    if (!access.setOpen) return false;
  }
  if (!unit.ts.isCallExpression(node)) return false;
  return node.arguments.some((a) => names.uses(a)) || (unit.ts.isPropertyAccessExpression(node.expression) && unit.ts.isIdentifier(node.expression.expression) && names.uses(node.expression.expression));
}

/** What was read is handed to the function that writes it. */
function passes(unit: Unit, call: ts.CallExpression, node: AccessNode, names: ReadNames): boolean {
  const { ts } = unit;
  const given = call.arguments.filter((a) => names.uses(a));
  const called = given.length === 0 ? undefined : calledFunction(unit, call);
  if (called === undefined || !ts.isCallExpression(node)) return false;
  const parameters = called.fn.parameters.filter((_, i) => given.some((a) => call.arguments[i] === a));
  const mentions = (n: ts.Node): boolean => (ts.isIdentifier(n) && parameters.some((p) => called.unit.scopes.resolve(n)?.declaration === p)) || ts.forEachChild(n, mentions) === true;
  return node.arguments.some((a) => !isPlainPart(unit, a) && mentions(a));
}

/** `row.id` says which row it is. */
function isPlainPart({ ts }: Unit, argument: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(argument) && /id$|key$/i.test(argument.name.text);
}

/** A test on what was read, or the condition by which the read chose its row, where the write is of that very row. */
function decidedBefore(unit: Unit, read: Touch, write: Touch, place: ts.Node, names: ReadNames): { readonly at: ts.Expression | undefined } | undefined {
  const isSameRow = sharesIdentity(read, write) || derivesFrom(unit, write.node, read.node);
  if (!isSameRow) return undefined;
  const columns = write.access?.kind === 'write' ? write.access.set.map((a) => a.column) : [];
  const test = testBetween(unit, names, read.node, place, columns);
  if (test !== undefined) return { at: test };
  const isChosen = read.access?.kind === 'read' && write.access !== undefined && chosenByState(read.access, columns) && derivesFrom(unit, write.node, read.node);
  return isChosen ? { at: undefined } : undefined;
}

/** `if (cached) return cached` */
function answersWith(unit: Unit, test: ts.Expression, names: ReadNames): boolean {
  const { ts } = unit;
  if (!ts.isIfStatement(test.parent)) return false;
  const then = test.parent.thenStatement;
  const last = ts.isBlock(then) ? then.statements.at(-1) : then;
  if (last === undefined || !ts.isReturnStatement(last) || last.expression === undefined) return false;
  const e = bare(unit, last.expression);
  const value = ts.isCallExpression(e) && calledName(unit, e) === 'parse' ? e.arguments[0] : e;
  return value !== undefined && ts.isIdentifier(value) && names.uses(value);
}

function chosenByState(read: StateRead, columns: readonly string[]): boolean {
  return read.where.some((c) => columns.some((w) => sameColumn(w, c.column)) && (isStateColumn(c.column) || isLifecycleColumn(c.column)));
}

/** The section looks at it once more, itself or in a function it calls, or tests what its locker handed in. */
function isReadAgain(unit: Unit, section: Section, touches: readonly Touch[], read: Touch, write: Touch): boolean {
  if (testsHanded(unit, section)) return true;
  return touches.some((t) => t.node.end <= write.node.end && (looks(t) ? sameThing(t, read) || t.name === read.name : readsInside(unit, t, read)));
}

/** A function of the program that makes the same read itself. */
function readsInside(unit: Unit, { node, access }: Touch, read: Touch): boolean {
  if (access !== undefined || !unit.ts.isCallExpression(node)) return false;
  const called = calledFunction(unit, node);
  if (called === undefined) return false;
  const isSame = (t: Touch): boolean => t.name === read.name || (t.access !== undefined && read.access !== undefined && sameTarget(t.access, read.access));
  return awaitedCalls(called.unit, called.fn).map((n) => touchOf(called.unit, n)).some((t) => looks(t) && isSame(t));
}

/** Functions that hand a call on to the one that takes the lock are followed outwards this far. */
const DEPTH = 3;

/** The read stands in a caller of the function that takes the lock and writes. `inner`: the call in that function which leads there, where it only hands on. */
function staleInCaller(unit: Unit, acquire: AcquireOperation, fn: ts.Node, writes: readonly Touch[], again: Again, depth = DEPTH, inner?: ts.CallExpression): StaleRead | undefined {
  if (depth === 0 || !isFunctionWithBody(unit, fn)) return undefined;
  const { calls } = callersOf(unit, fn);
  for (const call of calls.slice(0, MOST)) {
    const terms = callTerms(unit, call, { unit, fn });
    if (terms === undefined || within(call, fn)) continue;
    const there = writes.map((w): Touch => ({ ...w, receiver: w.receiver && terms.inCaller(w.receiver), first: w.first && terms.inCaller(w.first) }));
    const stale = staleAt(unit, call, there, again, { call, inner }, acquire) ?? staleInCaller(unit, acquire, enclosingFunction(unit, call), there, again, depth - 1, call);
    if (stale !== undefined) return stale;
  }
  return undefined;
}
