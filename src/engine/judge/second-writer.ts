import type ts from 'typescript';
import { actorOfNode, haveOneRoot, isOneRun, startsUp, type Actor, type Reach } from '../targets/actor.js';
import type { ActorKind } from '../targets/actor-words.js';
import { sameColumn, sameTarget } from '../targets/accesses.js';
import { branchFacts, excludeEachOther } from '../targets/branch-facts.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { comesFromOutside, endsOtherwise, wholeFunction } from '../targets/rivals.js';
import { accepts, areShutOut, statesExpected, statesShutOut } from '../targets/can-meet.js';
import { losesValueOf } from '../targets/lost-value.js';
import { failsToSend } from '../targets/failed-send.js';
import { isExit, onlyLookupsFail } from '../targets/short-window.js';
import { isInFlight, isNeedless, isStopping, isTerminal, isWaiting, stateWord } from '../targets/step-words.js';
import { rowKey, rowOf, targetGroups, type TargetRow } from '../targets/target-table.js';
import type { Transition } from '../targets/transition.js';
import type { Writer } from '../targets/writers.js';
import type { Unit } from '../syntax/unit.js';
import { told, type Rival } from './rival.js';
import { doubtOfClaimed, doubtOfCommand, doubtOfEntry, doubtOfFailedLookup, doubtOfLate, doubtOfOneGo, doubtOfRun, doubtOfSetAnew, doubtOfWindow } from './run-doubt.js';
import { secondRun } from './second-run.js';
import { Kept, KeptByName } from '../kept.js';

/**
 * The second writer that a finding names: who is most sure to come while this write's work is going on. Another worker's piece of the same work
 * comes before or after it, and meets it only when the work is run twice: then the second run is named.
 */
export function secondWriterOf(transition: Transition, known: TargetRow | undefined, reach: Reach): Rival {
  const actor = actorOfNode(transition.unit, transition.write.node, reach);
  const rival = rivalOf(transition, actor, known, reach);
  const doubt = rival.doubt ?? doubtOfEntry(transition) ?? doubtOfOneGo(transition) ?? doubtOfSetAnew(transition) ?? doubtOfCommand(transition, actor) ?? (rival.run === undefined ? doubtOfFailedLookup(transition) : undefined) ?? (rival.endsElsewhere ? undefined : doubtOfWindow(transition, actor));
  return doubt === undefined ? rival : { ...rival, doubt };
}

function rivalOf(transition: Transition, actor: Actor, known: TargetRow | undefined, reach: Reach): Rival {
  const { unit } = transition;
  const again = (end: Writer | undefined): Rival => secondRun(transition, actor, end, doubtOfRun(transition, actor, end, reach));
  // Who claims races its own kind.
  if (transition.kind === 'claim') return again(undefined);
  const row = known ?? rowInFile(transition);
  const ranked = rivalsIn(transition, row).map((w) => rankOf(transition, actor, w, reach)).sort((a, b) => a.tier - b.tier || a.order - b.order);
  const [best] = ranked;
  // Messages of another system arrive twice, late, and in any order: what has been written since is lost, whoever wrote it.
  const isMessage = actor.kind === 'webhook' || (actor.kind === 'http' && best?.tier === Tier.sameKey && transition.readBefore === undefined);
  if (isMessage && best?.tier !== Tier.outside) {
    // A read before it turns the late one away: only two at once get past.
    return transition.readBefore === undefined ? { ...secondRun(transition, actor, undefined, doubtOfClaimed(transition) ?? doubtOfLate(transition, foreignKeys(transition).length > 0)), run: 'late' } : again(otherEndOfRun(transition, row));
  }
  if (best !== undefined && best.tier <= Tier.anotherWay) return told(unit, best.writer.unit, best.writer.node, reach, best.tier < Tier.progress && endsElsewhere(transition, actor, best));
  // Of two pieces of code that nobody knows the way to, only those of one file are sure to be about one thing.
  const otherEnd = ranked.find((r) => r.tier === Tier.sameWork && r.writer.unit === unit);
  if (actor.kind === 'unknown' && otherEnd !== undefined) {
    const end = told(unit, otherEnd.writer.unit, otherEnd.writer.node, reach, false);
    // What fails may be the write of that end, after it was committed.
    const doubt = !transition.onError && haveOneRoot({ unit, node: transition.write.node }, otherEnd.writer) ? doubtOfClaimed(transition) : undefined;
    return doubt === undefined ? end : { ...end, doubt };
  }
  return again(otherEndOfRun(transition, row));
}

/** Whom one meets, the surest first. */
const Tier = {
  /** Decided by somebody who does not do the work: a cancel, an expiry. */
  outside: 0,
  /** Finds the row by the same foreign key: it is about one thing. */
  sameKey: 1,
  /** Entered in another way, and ends the row otherwise. */
  anotherEnd: 2,
  /** Entered in another way, and moves the row on or back. */
  progress: 3,
  /** Entered in another way; what it leaves does not tell. */
  anotherWay: 4,
  /** Another end of the same work. */
  sameWork: 5,
  /** Comes before this write, or cannot be there while it is at work. */
  hardly: 6,
} as const;
type Tier = (typeof Tier)[keyof typeof Tier];

interface Ranked { readonly writer: Writer; readonly actor: Actor; readonly tier: Tier; readonly order: number }

function rankOf(own: Transition, actor: Actor, writer: Writer, reach: Reach): Ranked {
  const rival = actorOfNode(writer.unit, writer.node, reach);
  const isMade = writer.transition.foreign === 'own-row';
  const order = (isMade ? 20 : 0) + (writer.transition.onError ? 10 : 0) + (writer.unit === own.unit ? 0 : 1) + (shareEntry(rival, actor) ? 0 : 2) + (isFailure(writer) ? 3 : 0) + (isExit(writer.unit, writer.node) ? 12 : 0) + branchesAround(writer) + 6 * foundNothing(writer) + RANK[rival.kind];
  return { writer, actor: rival, tier: tierOf(own, actor, writer, rival, isMade), order };
}

/** How many branches of its function a write stands in: one that comes in all cases is met more often. */
function branchesAround({ unit, node }: Writer): number {
  const fn = wholeFunction(unit, node);
  let count = 0;
  for (let n: ts.Node = node; n !== fn && n.parent && count < MOST_BRANCHES; n = n.parent) if (unit.ts.isIfStatement(n.parent) && n.parent.expression !== n) count++;
  return count;
}

const MOST_BRANCHES = 3;

function tierOf(own: Transition, actor: Actor, writer: Writer, rival: Actor, isMade: boolean): Tier {
  const grade = { ...writer.transition.grade, to: writer.to };
  const ends = endsOtherwise(grade, own.grade);
  const isOther = !shareEntry(actor, rival) && (rival.kind !== 'unknown' || actor.kind !== 'unknown');
  if (isEarlier(own, writer) || isLater(own, writer) || hardlyMeets(own, writer) || onlyLookupsFail(writer.unit, writer.node)) return Tier.hardly;
  if (rival.kind === 'queue' && failsToSend(own)) return Tier.hardly;
  // Who makes the row, or makes it wait again, comes before its end.
  if (writer.transition.write.verb === 'upsert' && writer.to !== 'unknown' && writer.to.every(isWaiting)) return Tier.hardly;
  const together = isPartOfTheWork(actor, rival);
  // Who ends a row that waits is met by who takes it, and not by who works on it already.
  if (own.kind === 'finish' && isOfWaitingRow(own) && (writer.transition.kind === 'claim' || rival.kind === 'queue' || rival.kind === 'unknown')) return isOther && takesUntaken(writer) ? Tier.anotherEnd : Tier.hardly;
  if (isOther && !together && !isMade && (rival.kind === 'cancel' || actor.kind === 'cancel' || decidesFromOutside(rival, grade, own)) && (ends || own.kind !== 'finish' || (actor.kind === 'cancel' && writer.to === 'unknown'))) return Tier.outside;
  const keys = foreignKeysOf(own, writer.transition);
  if (ends && keys === 'same' && rival.kind !== 'unknown') return Tier.sameKey;
  if (keys === 'other') return Tier.hardly;
  if (rival.kind === 'unknown' || !isOther) return ends ? Tier.sameWork : Tier.hardly;
  if (isMade) return Tier.hardly;
  if (together) return ends ? Tier.sameWork : Tier.hardly;
  // Two requests are mostly about two rows, or come one after the other; a worker is at it for long, and a timer that goes through all rows loses a part of one.
  const comesAnyTime = rival.kind === 'queue' || (rival.kind === 'cron' && own.gate.kind === 'read-modify-write' && writer.transition.gate.kind === 'read-modify-write');
  if (actor.kind !== 'queue' && !comesAnyTime) return Tier.hardly;
  if (ends) return Tier.anotherEnd;
  if (writer.to === 'unknown') return Tier.anotherWay;
  return own.kind === 'finish' && !COMES_BACK.has(rival.kind) ? Tier.hardly : Tier.progress;
}

/** The two are run for different sorts of things or for rows in different states, or the one is there to undo what the other leaves. */
function hardlyMeets(own: Transition, { unit, node, transition, to }: Writer): boolean {
  if (excludeEachOther(branchFacts(own.unit, own.write.node), branchFacts(unit, node))) return true;
  if (own.grade.to !== 'unknown' && own.grade.to.every(isStopping) && to !== 'unknown' && to.every((s) => isInFlight(s) && !isTerminal(s))) return true;
  if (fillsIn(transition) || startsUp(unit, wholeFunction(unit, node))) return true;
  if (endsForGood(own.grade) && to !== 'unknown' && !to.some(isAchieved)) return true;
  const expected = statesExpected(own.unit, own.write, own.gate, own.reads);
  // It leaves the row as this one has found it.
  if (expected !== undefined && to !== 'unknown' && to.length > 0 && areShutOut(to, expected)) return true;
  if (expected !== undefined && areShutOut(expected, statesShutOut(transition.write, transition.gate))) return true;
  const theirs = node === transition.write.node ? statesExpected(unit, transition.write, transition.gate, transition.reads) : undefined;
  return expected !== undefined && theirs !== undefined && !accepts(theirs, expected);
}

/** Whoever revokes or cancels a thing means it, whatever it was at: but for work that was done by then. */
function endsForGood({ to }: Transition['grade']): boolean {
  return to !== 'unknown' && to.length > 0 && to.every((s) => /^(?:cancell?ed|revoked|terminated|withdrawn|voided)$/.test(stateWord(s)));
}

function isAchieved(state: string): boolean {
  return /^(?:complet|succe|done|finish|paid|captur|settl|deliver|sent|fulfil|process(?:ed)|approv|accept|publish|deploy(?:ed))/.test(stateWord(state));
}

/** `WHERE status IS NULL`: it gives a state to rows that were made before there was one. */
function fillsIn({ gate, write }: Transition): boolean {
  const { stateColumn } = gate;
  return gate.kind === 'state' && stateColumn !== undefined && write.where.some((c) => c.op === 'is-null' && !c.mayBeAbsent && sameColumn(c.column, stateColumn));
}

/** The row waits for somebody to take it, as the tests before the write say. */
function isOfWaitingRow({ unit, write, gate, reads }: Transition): boolean {
  const expected = statesExpected(unit, write, gate, reads);
  return expected !== undefined && expected.length > 0 && expected.every((s) => UNTAKEN.test(stateWord(s)));
}

/** It looks for rows that nobody has taken. */
function takesUntaken({ transition: { kind, unit, write, gate, reads } }: Writer): boolean {
  return kind === 'claim' && statesExpected(unit, write, gate, reads)?.some((s) => UNTAKEN.test(stateWord(s))) === true;
}

const UNTAKEN = /^(?:pending|queued|ready|scheduled|created|new|open|waiting|draft)$/;

/** What a request expires is a matter of that request; who cancels means the work of others, and so does a clock. */
function decidesFromOutside(rival: Actor, grade: Transition['grade'], own: Transition): boolean {
  if (rival.kind === 'unknown' || !comesFromOutside(grade, own.grade)) return false;
  return WORK.has(rival.kind) || rival.kind === 'cron' || (grade.to !== 'unknown' && grade.to.every((s) => /^(?:cancel|abort|stop|terminat|kill)/.test(stateWord(s))));
}

/** Some way leads to both. */
function shareEntry(a: Actor, b: Actor): boolean {
  const ways = a.text.split('; ');
  return b.text.split('; ').some((way) => ways.includes(way));
}

/** Two workers hand a row on to each other; who asks, retries or watches from outside comes at any time. */
function isPartOfTheWork(a: Actor, b: Actor): boolean {
  return WORK.has(a.kind) && WORK.has(b.kind) && a.kind === b.kind;
}

const WORK: ReadonlySet<ActorKind> = new Set<ActorKind>(['queue', 'webhook']);
const COMES_BACK: ReadonlySet<ActorKind> = new Set<ActorKind>(['resume', 'retry', 'compensation']);

/** It takes the row only while it waits for somebody, and this write ends work that is under way. */
function isEarlier({ unit, kind, write, gate, reads }: Transition, { from }: Writer): boolean {
  if (kind !== 'finish' || from === 'any' || from.length === 0 || !from.every(isWaiting)) return false;
  const expected = statesExpected(unit, write, gate, reads);
  return expected === undefined || !accepts(from, expected);
}

/** It takes the row out of nothing but the state that this write leaves: an undo, and no race. */
function isLater({ grade: { to } }: Transition, { from }: Writer): boolean {
  if (to === 'unknown' || from === 'any' || from.length === 0) return false;
  const left = to.map(stateWord);
  return from.every((s) => left.includes(stateWord(s)));
}

/** Most ends in failure are early exits; the end that comes after the work says best when it strikes. */
function isFailure({ to }: Writer): boolean {
  return to !== 'unknown' && to.every((s) => /^(?:fail|err|crash|dead|timed?_?out)/.test(stateWord(s)));
}

/** Where the same run can end the row otherwise: in this function, or in one that leads here or is led to. Of a value that is made of the old one its like comes between. */
function otherEndOfRun(own: Transition, row: TargetRow | undefined): Writer | undefined {
  const fn = wholeFunction(own.unit, own.write.node);
  const facts = branchFacts(own.unit, own.write.node);
  const ends = (row?.writers ?? []).filter((w) => w.transition !== own && w.transition.write.layer === own.write.layer && endsOtherwise({ ...w.transition.grade, to: w.to }, own.grade)
    && losesValueOf(own, w.transition) && !passesOver(own, w) && (own.gate.kind !== 'read-modify-write' || w.transition.gate.kind === 'read-modify-write') && !excludeEachOther(facts, branchFacts(w.unit, w.node)));
  const here = ends.filter((w) => wholeFunction(w.unit, w.node) === fn);
  const distance = (w: Writer): number => Math.abs(w.node.pos - own.write.node.pos);
  const [nearest] = here.sort((a, b) => foundNothing(a) - foundNothing(b) || distance(a) - distance(b));
  return nearest ?? ends.toSorted((a, b) => foundNothing(a) - foundNothing(b)).find((w) => isOneRun({ unit: own.unit, node: own.write.node }, w));
}

/** Where this run finds work, another one of the same input hardly finds none. */
function foundNothing({ to }: Writer): number {
  return to !== 'unknown' && to.every(isNeedless) ? 1 : 0;
}

/** The ids that other systems gave the row, where it is found by them and not by its own: by the write, or by a read before it. */
function foreignKeys({ write, reads }: Transition): readonly string[] {
  const finders = [write, ...reads.filter((r) => r.single)].map((a) => a.where.filter((c) => c.op === 'eq').map((c) => c.column)).filter((columns) => !columns.some((c) => /(?:^|[._])_?id$/i.test(c)));
  return finders.flat().filter((c) => /id$|key$|reference$/i.test(c));
}

/** `same`: both find the row by one foreign key, as two messages about one thing do. `other`: by different ones, so that they hardly mean the same rows. */
function foreignKeysOf(own: Transition, rival: Transition): 'same' | 'other' | undefined {
  const [a, b] = [foreignKeys(own), foreignKeys(rival)];
  if (a.length === 0 || b.length === 0) return undefined;
  return a.some((x) => b.some((y) => sameColumn(x, y))) ? 'same' : 'other';
}

/** Both are entered in ways that are told, and not in the same: then the two meet. An end that is written after an error is one of the same work. */
function endsElsewhere(own: Transition, actor: Actor, { writer, actor: rival }: Ranked): boolean {
  const { unit, transition: { grade, onError, write } } = writer;
  if (unit === own.unit || onError || write.evidence === 'name' || !endsOtherwise({ ...grade, to: writer.to }, own.grade)) return false;
  return actor.kind !== 'unknown' && rival.kind !== 'unknown' && actor.text !== rival.text;
}

/** The worker in the middle of its step is what a reader thinks of first. */
const RANK: Readonly<Record<ActorKind, number>> = { queue: 0, http: 1, webhook: 1, cancel: 2, resume: 2, retry: 2, compensation: 2, cron: 3, unknown: 5 };

/** Who can overlap with the write in another function; the one its file speaks of too, even where its calls elsewhere stand for it. */
function rivalsIn(own: Transition, row: TargetRow | undefined): readonly Writer[] {
  const near = own.secondWriter;
  const met = (row?.conflicts ?? []).flatMap(([a, b]) => (a.transition === own ? [b] : b.transition === own ? [a] : []));
  const all = [...met, ...(row?.writers ?? []).filter((w) => w.transition.write === near)];
  const fn = wholeFunction(own.unit, own.write.node);
  return [...new Set(all)].filter((w) => w.transition !== own && w.transition.write.layer === own.write.layer && wholeFunction(w.unit, w.node) !== fn && losesValueOf(own, w.transition) && !passesOver(own, w));
}

/** The condition shuts out the state that the other one writes: that one is not overwritten. */
function passesOver({ write, gate }: Transition, { to }: Writer): boolean {
  return to !== 'unknown' && areShutOut(to, statesShutOut(write, gate));
}

/** The writers of the target in its file, where one file is judged on its own. */
function rowInFile(transition: Transition): TargetRow | undefined {
  const { unit, write: { target } } = transition;
  if (target === undefined) return readRow(transition);
  let rows = rowsOfFile.get(unit);
  if (rows === undefined) {
    rows = new KeptByName();
    rowsOfFile.set(unit, rows);
  }
  const key = rowKey(transition);
  if (rows.has(key)) return rows.get(key);
  const row = readRow(transition);
  rows.set(key, row);
  return row;
}

/** All writes of one table ask for the same row. */
const rowsOfFile = new Kept<Unit, KeptByName<string, TargetRow | undefined>>();

function readRow({ unit, write }: Transition): TargetRow | undefined {
  const [own] = targetGroups(fileTransitions(unit).transitions.filter((t) => sameTarget(t.write, write))).values();
  return own && rowOf(own);
}
