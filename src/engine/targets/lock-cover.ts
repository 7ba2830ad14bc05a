import type ts from 'typescript';
import { callTerms } from '../functions/call-terms.js';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround, type HeldLock } from '../functions/locks-held.js';
import { programCallers, type ProgramCall, type ProgramCallers } from '../functions/program-callers.js';
import { sameKey } from '../operations/lock-keys.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { entryOf } from './actor-entry.js';
import { keyAgainstRow } from './key-against-row.js';
import { wholeFunction } from './rivals.js';

/** A lock in the terms of the function that takes it. */
export interface HeldAt {
  readonly unit: Unit;
  readonly at: ts.Node;
  readonly key: Term;
}

/**
 * How the locks that are held at a write stand to its row. `covered`: the row's identity occurs in the key, or the key is constant. `misses`: both are in sight and share
 * nothing. `partly`: some callers of its function hold a lock of the row and others hold none. `none`: no lock is held; `callers` says whether all callers were seen.
 */
export type LockCover =
  /** `here`: in the function of the write itself or around it in its file; else around the calls of it in other files. */
  | (HeldAt & { readonly kind: 'covered' | 'misses' | 'undecided'; readonly here: boolean })
  | (HeldAt & { readonly kind: 'partly'; readonly locked: ProgramCall; readonly unlocked: readonly UnlockedCall[] })
  | { readonly kind: 'none'; readonly callers: 'seen' | 'unseen'; readonly unseen?: ProgramCallers['unseen'] | 'uncalled' };

/** A call that leads to the write without a lock, with the row in its terms. */
export interface UnlockedCall extends ProgramCall {
  readonly identity: readonly Term[];
}

/** Wrappers of writers are followed outwards this far. */
const DEPTH = 4;
/** A function that is called from more places is no part of one protocol. */
const MOST_CALLS = 24;

/** The lock that is held whenever a node runs, here or around all calls of its function, in whatever file. */
export function lockCover(unit: Unit, node: ts.Node, identity: readonly Term[]): LockCover {
  return coverOf(unit, node, identity, []) ?? { kind: 'none', callers: 'unseen' };
}

/** Undefined for a call that only comes from calls that are being asked already: a store that hands on to others of its interface. */
function coverOf(unit: Unit, node: ts.Node, identity: readonly Term[], path: readonly ts.Node[]): LockCover | undefined {
  const { ts } = unit;
  const held = locksHeldAround(unit, node, 'with-transaction-locks').filter((l) => isLock(unit, l))
    .map((l) => ({ kind: keyAgainstRow(l.key, identity), key: l.key, at: l.operation.node, unit, here: true } as const));
  const best = held.find((c) => c.kind === 'covered') ?? held.find((c) => c.kind === 'undecided') ?? held[0];
  if (best !== undefined) return best;
  const fn = wholeFunction(unit, node);
  if (ts.isSourceFile(fn)) return { kind: 'none', callers: 'seen' };
  if (path.includes(fn)) return undefined;
  // A route or a worker's processor has no callers that could hold a lock.
  if (entryOf(unit, fn) !== undefined) return { kind: 'none', callers: 'seen' };
  const { calls, unseen } = programCallers(unit, fn);
  if (calls.length === 0 || calls.length > MOST_CALLS || path.length >= DEPTH) return { kind: 'none', callers: 'unseen', unseen: unseen ?? (calls.length === 0 ? 'uncalled' : 'too-many') };
  const covers = calls.flatMap(({ unit: from, call }) => {
    const terms = callTerms(from, call, { unit, fn });
    const row = terms === undefined ? [] : identity.flatMap((t) => terms.inCaller(t) ?? []);
    const cover = coverOf(from, call, row, [...path, fn]);
    return cover === undefined ? [] : [{ site: { unit: from, call, identity: row }, cover }];
  });
  return together(unit, covers, unseen);
}

interface CallCover { readonly site: UnlockedCall; readonly cover: LockCover }

function together(unit: Unit, covers: readonly CallCover[], unseen: ProgramCallers['unseen']): LockCover | undefined {
  const [first] = covers;
  if (first === undefined) return unseen === undefined ? undefined : { kind: 'none', callers: 'unseen', unseen };
  const open = covers.filter((c) => c.cover.kind === 'none');
  const unlocked = covers.flatMap(({ site, cover }) => (cover.kind === 'none' ? [site] : cover.kind === 'partly' ? cover.unlocked : []));
  const locked = covers.find((c) => c.cover.kind === 'covered' || c.cover.kind === 'partly');
  if (locked !== undefined && unlocked.length > 0 && locked.cover.kind !== 'none') {
    const { key, at, unit: where } = locked.cover;
    if (isOwnRunsOnly(covers)) return { kind: 'undecided', key, at, unit: where, here: false };
    return { kind: 'partly', key, at, unit: where, locked: locked.cover.kind === 'partly' ? locked.cover.locked : locked.site, unlocked };
  }
  const { cover } = open[0] ?? covers.find((c) => c.cover.kind !== 'covered') ?? first;
  // Callers nobody sees may hold it or not.
  if (unseen !== undefined) return { kind: 'none', callers: 'unseen', unseen };
  if (cover.kind === 'none') return open.every((c) => c.cover.kind === 'none' && c.cover.callers === 'seen') ? { kind: 'none', callers: 'seen' } : cover;
  return cover.kind === 'partly' ? cover : { ...cover, here: cover.here && covers.every((c) => c.site.unit === unit) };
}

/** One lock for all rows that a single function takes keeps its own runs apart, as a timer on many machines needs it: it asks nothing of other callers. */
function isOwnRunsOnly(covers: readonly CallCover[]): boolean {
  const held = covers.flatMap(({ cover }) => (cover.kind === 'covered' || cover.kind === 'partly' ? [cover] : []));
  return held.every(({ key }) => key.kind === 'const') && new Set(held.map(({ unit, at }) => enclosingFunction(unit, at))).size === 1;
}

/** A key that nothing gives back marks what was done, and keeps nobody out of a row. */
function isLock(unit: Unit, { operation, key }: HeldLock): boolean {
  return operation.scope !== 'manual' || operation.link !== 'key' || lockOperations(unit).some((o) => o.kind === 'release' && sameKey(o.key, key));
}
