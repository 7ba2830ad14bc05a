import { walkTerm, type Term } from '../syntax/term.js';
import { isToldSingleWriter } from '../syntax/told-facts.js';
import { sameColumn } from './accesses.js';
import { areAlternatives } from './alternatives.js';
import { accepts, movesAway, shareColumn, statesExpected } from './can-meet.js';
import { isOneRun } from './actor.js';
import { wholeFunction } from './rivals.js';
import type { LockCover } from './lock-cover.js';
import { areInTurn, serialEngineOf } from './serial-engine.js';
import type { Writer } from './writers.js';

/** Whether two writers of one target can be in the middle of their work at the same time with nothing in sight that keeps one from wiping out the other. */
export function canOverlap(a: Writer, b: Writer): boolean {
  if (areInTurn(serialEngineOf(a.unit, a.node), serialEngineOf(b.unit, b.node))) return false;
  if (a === b) return isBlind(a) && runsTwice(a) && !isLocked(a.lock);
  if (!isBlind(a) && !isBlind(b)) return false;
  if (wholeFunction(a.unit, a.node) === wholeFunction(b.unit, b.node) || isSingle(a) || isSingle(b)) return false;
  if (areAlternatives(a, b) || isShutOut(a, b) || isShutOut(b, a)) return false;
  return writeTheSameColumn(a, b) && !leaveTheSame(a, b) && !shareLock(a.lock, b.lock) && !isOneRun(a, b);
}

/** It writes whatever stands there by now: no guard, no row lock, no claim that was won before. What callers elsewhere may have secured is left open. */
export function isBlind({ transition: { grade, protectedBy, foreign } }: Writer): boolean {
  if (protectedBy !== undefined || foreign !== undefined || grade.grade === 'unknown' || grade.grade >= 4) return false;
  return grade.grade < 3 || grade.excludesTerminal === false;
}

/** A claim, or a value computed from the row as it was read: entered twice, it does its work twice. */
function runsTwice({ transition: { kind, gate, readBefore } }: Writer): boolean {
  return kind === 'claim' || (gate.kind === 'read-modify-write' && readBefore !== undefined);
}

function isSingle({ transition: { unit, fn } }: Writer): boolean {
  return isToldSingleWriter(unit, fn);
}

/** The blind one of two meets only what can be there: the other one accepts no state that the row is in before it, or moves the row out of its sight. */
function isShutOut(own: Writer, rival: Writer): boolean {
  const { unit, write, gate, reads } = own.transition;
  return isBlind(own) && (!accepts(rival.from, statesExpected(unit, write, gate, reads)) || movesAway(rival.transition.write, write, gate));
}

function writeTheSameColumn(a: Writer, b: Writer): boolean {
  if ([a, b].some((w) => w.transition.gate.kind === 'read-modify-write')) return shareColumn(a.transition.write, b.transition.write);
  const [x, y] = [a.transition.gate.stateColumn, b.transition.gate.stateColumn];
  return x === undefined || y === undefined || sameColumn(x, y);
}

function leaveTheSame(a: Writer, b: Writer): boolean {
  const { to } = b;
  return a.to !== 'unknown' && to !== 'unknown' && a.to.every((s) => to.includes(s)) && to.length === a.to.length;
}

function isLocked(cover: LockCover): boolean {
  return cover.kind === 'covered' || cover.kind === 'undecided';
}

/** Both hold a lock, and nothing proves that it is another one. */
function shareLock(a: LockCover, b: LockCover): boolean {
  if (a.kind === 'none' || b.kind === 'none' || a.kind === 'partly' || b.kind === 'partly' || a.kind === 'misses' || b.kind === 'misses') return false;
  const [x, y] = [constantText(a.key), constantText(b.key)];
  return x === '' || y === '' || x === y;
}

/** What a key has in common with others of its family: `step:${id}` gives `step:`. */
function constantText(key: Term): string {
  const parts: string[] = [];
  walkTerm(key, (t) => {
    if (t.kind === 'const' && typeof t.value === 'string') parts.push(t.value);
  });
  return parts.join('');
}
