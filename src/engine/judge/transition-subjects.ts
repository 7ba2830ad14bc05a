import { lockOperations } from '../functions/lock-operations.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { lockedWriters, type LockedWriter } from '../targets/locked-writers.js';
import { requiredCalls, type RequiredCall } from '../targets/required-calls.js';
import type { Transition } from '../targets/transition.js';
import { actorOfNode, type Actor } from '../targets/actor.js';
import { isTerminal } from '../targets/step-words.js';
import type { Writer } from '../targets/writers.js';
import { transitionCalls } from '../targets/transition-calls.js';
import { guardsOfTarget } from './guards-of.js';
import { lockOfWrite, type LockOfWrite } from './lock-of-write.js';
import { movesOf } from './moves-of.js';
import { pathFinder } from './paths.js';
import { splitOf, type Split } from './split.js';
import { readsOfWrite } from './stale-of.js';
import { tokenOf } from './token-of.js';
import { rivalAt, takerOf, type Rival } from './rival.js';
import { secondWriterOf } from './second-writer.js';
import { serialOfWrite, type SerialOfWrite } from './serial-of.js';
import { siteIdAt } from './site.js';
import { noteRead } from '../kept.js';
import { rowKey } from '../targets/target-table.js';
import type { TransitionSubject } from './transition-subject.js';
import type { WriterTable } from './writer-table.js';

/** What other files say of the writes of one. */
export interface FromElsewhere {
  /** Writers of other files that hold a lock of the row. */
  readonly writers: readonly LockedWriter[];
  /** Calls in this file of functions of other files that ask for a lock. */
  readonly required: readonly RequiredCall[];
  /** The targets and writers of all files; undefined where one file is judged on its own. */
  readonly table: WriterTable | undefined;
}

/** The writes of step state in a file, the calls of functions that make one and answer whether it hit, and the calls of functions that ask for a lock. */
export function transitionSubjects(unit: Unit, elsewhere: FromElsewhere): TransitionSubject[] {
  const calls = transitionCalls(unit);
  const required = [...requiredCalls(unit).filter((r) => r.transition.unit === unit), ...elsewhere.required];
  const asked = new Map(required.map((r) => [r.transition.write.node, r]));
  const followed = new Set([...calls.map((t) => t.write.node), ...asked.keys()]);
  // A body in sight says more than the name of a verb.
  const writes = fileTransitions(unit).transitions.filter((t) => !followed.has(t.write.node));
  const own = new Set(writes.map((t) => t.write.node));
  const listed = (elsewhere.table?.callsIn(unit) ?? []).filter((w) => !followed.has(w.node) && !own.has(w.node));
  if (writes.length === 0 && followed.size === 0 && listed.length === 0) return [];
  const writers = [...lockedWriters(unit), ...elsewhere.writers];
  const finder = pathFinder(unit, lockOperations(unit));
  const reach = elsewhere.table === undefined ? 'file' : 'program';
  const answering = new Set(calls.map((t) => t.write.node));
  return [
    ...[...writes, ...calls].map((t) => subject(t, asked.get(t.write.node))),
    ...[...asked.values()].filter((r) => !answering.has(r.transition.write.node)).map((r) => subject(r.transition, r)),
    ...listed.map((w) => subject(writeAtCall(w), undefined, true)),
  ];

  function subject(transition: Transition, ask: RequiredCall | undefined, isListed = false): TransitionSubject {
    const { write } = transition;
    noteRead(`#${rowKey(transition)}`);
    let lock: LockOfWrite | undefined;
    let split: Split | undefined;
    let actor: Actor | undefined;
    let serial: { readonly found: SerialOfWrite | undefined } | undefined;
    let rival: { readonly found: Rival | undefined } | undefined;
    let answer: { readonly found: ReturnType<TransitionSubject['answer']> } | undefined;
    const row = (): ReturnType<WriterTable['rowOf']> => elsewhere.table?.rowOf(transition);
    const serialOf = (): SerialOfWrite | undefined => (serial ??= { found: serialOfWrite(transition, row()) }).found;
    return {
      kind: 'T', unit, transition, asksForLock: ask?.asks ?? false, isListed, place: unit.placeOf(write.node), site: siteIdAt(unit.placeOf(write.node)),
      answer: () => (answer ??= { found: finder.answer(write.node, write.result) }).found,
      triedLocks: () => lockOperations(unit).filter((o) => o.kind === 'acquire' && o.scope === 'manual' && o.node.end <= write.node.pos && enclosingFunction(unit, o.node) === transition.fn).map((o) => o.node),
      split: () => (split ??= splitOf(transition)),
      reads: () => readsOfWrite(transition),
      moves: () => movesOf(transition),
      token: () => tokenOf(transition),
      lock: () => (lock ??= lockOfWrite(transition, writers, reach, ask)),
      actor: () => (actor ??= actorOfNode(unit, write.node, reach)),
      taker: () => takerOf(transition, row(), reach),
      guards: () => guardsOfTarget(transition, row()),
      serial: serialOf,
      rival: () => {
        const around = serialOf();
        return (rival ??= { found: around?.kind === 'beside' ? rivalAt(unit, around.outsider, reach) : secondWriterOf(transition, row(), reach) }).found;
      },
    };
  }
}

/** The write of a store's method in the place of a call of it. */
function writeAtCall({ transition, unit, node, from, to }: Writer): Transition {
  const { write, grade, work: _w, readBefore: _r, reread: _t, secondWriter: _s, staleRetry: _u, protectedBy: _p, ...rest } = transition;
  return {
    ...rest, unit, fn: enclosingFunction(unit, node), through: functionName(transition.unit, transition.fn), write: { ...write, node, result: { ...write.result, lost: [] } }, grade: { ...grade, from, to },
    kind: to === 'unknown' ? rest.kind : to.some(isTerminal) ? 'finish' : rest.kind === 'finish' ? 'progress' : rest.kind,
  };
}
