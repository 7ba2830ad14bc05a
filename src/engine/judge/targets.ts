import { showTerm, type Term } from '../syntax/term.js';
import { actorOfNode } from '../targets/actor.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { HeldAt } from '../targets/lock-cover.js';
import type { TargetRow } from '../targets/target-table.js';
import type { Writer } from '../targets/writers.js';
import { siteIdAt, type LockRecord, type Target, type TargetWriter } from './site.js';

/** A row of the table as plain data. */
export function targetOf({ name, states, writers, conflicts }: TargetRow): Target {
  const told = writers.map(tell);
  const id = (w: Writer): string => siteIdAt(w.unit.placeOf(w.node));
  return { name, states, transitions: [...new Set(told.map(({ from, to }) => `${from} -> ${to}`))], writers: told, conflicts: conflicts.map(([a, b]) => [id(a), id(b)] as const) };
}

function tell({ unit, node, from, to, lock, transition: { grade } }: Writer): TargetWriter {
  return {
    site: siteIdAt(unit.placeOf(node)),
    actor: actorOfNode(unit, node, 'program').text,
    from: from === 'any' ? 'any' : from.join(', '),
    to: to === 'unknown' ? 'unknown' : to.join(', '),
    guard: grade.grade === 'unknown' ? `unknown: ${grade.evidence}` : `grade ${String(grade.grade)}: ${grade.evidence}`,
    lock: lock.kind === 'none' ? (lock.callers === 'seen' ? 'none' : 'none in sight') : `${RELATION[lock.kind]}${lockName(lock)}`,
  };
}

const RELATION = { covered: '', misses: 'of something else: ', undecided: 'perhaps of another row: ', partly: 'of some callers only: ' };

/** `step:${id}`, or `acquire(id)` where the key has no text of its own. */
function lockName({ unit, at, key }: HeldAt): string {
  const api = lockOperations(unit).find((o) => o.node === at)?.api;
  return api === undefined || key.kind === 'template' || key.kind === 'const' ? showTerm(key) : `${api}(${bareKey(key)})`;
}

function bareKey(key: Term): string {
  const only = key.kind === 'list' && key.items.length === 1 ? key.items[0] : undefined;
  return showTerm(only ?? key);
}

/** The sites of the acquires under which a target is written. */
export function protectingSites({ writers }: TargetRow): string[] {
  return [...new Set(writers.flatMap(({ lock }) => (lock.kind === 'covered' || lock.kind === 'partly' ? [siteIdAt(lock.unit.placeOf(lock.at))] : [])))];
}

/** The locks with the targets that are written under them. */
export function withProtected(locks: readonly LockRecord[], rows: readonly { readonly name: string; readonly acquires: readonly string[] }[]): LockRecord[] {
  const protects = new Map<string, Set<string>>();
  for (const { name, acquires } of rows) for (const id of acquires) protects.set(id, (protects.get(id) ?? new Set<string>()).add(name));
  return locks.map((l) => ({ ...l, protects: [...new Set(l.acquirers.flatMap((a) => [...(protects.get(a) ?? [])]))].sort() }));
}
