import type ts from 'typescript';
import { callTerms } from '../functions/call-terms.js';
import { callersOf } from '../functions/callers.js';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround, type HeldLock } from '../functions/locks-held.js';
import { sameKey } from '../operations/lock-keys.js';
import { enclosingFunction } from '../syntax/expression.js';
import { walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';

/**
 * How the locks that are held at a write stand to its row. `covered`: the row's identity occurs in the key, or the key is constant. `misses`: both are in sight and share
 * nothing. `none`: no lock is held; `callers` says whether all callers were seen.
 */
export type LockCover =
  | { readonly kind: 'covered' | 'misses' | 'undecided'; readonly key: Term; readonly at: ts.Node }
  | { readonly kind: 'none'; readonly callers: 'seen' | 'unseen' };

/** Wrappers of writers are followed outwards this far. */
const DEPTH = 3;

/** The lock that is held whenever a node runs, here or around all calls of its function. */
export function lockCover(unit: Unit, node: ts.Node, identity: readonly Term[], depth = DEPTH): LockCover {
  const { ts } = unit;
  const held = locksHeldAround(unit, node).filter((l) => isLock(unit, l)).map((l): LockCover => ({ kind: relation(l.key, identity), key: l.key, at: l.operation.node }));
  const best = held.find((c) => c.kind === 'covered') ?? held.find((c) => c.kind === 'undecided') ?? held[0];
  if (best !== undefined) return best;
  const fn = enclosingFunction(unit, node);
  if (ts.isSourceFile(fn)) return { kind: 'none', callers: 'seen' };
  const callers = callersOf(unit, fn);
  if (callers.exported || callers.passedOn || callers.calls.length === 0 || depth === 0) return { kind: 'none', callers: 'unseen' };
  const covers = callers.calls.map((call) => {
    const terms = callTerms(unit, call, { unit, fn });
    return lockCover(unit, call, terms === undefined ? [] : identity.flatMap((t) => terms.inCaller(t) ?? []), depth - 1);
  });
  return covers.find((c) => c.kind === 'none') ?? covers.find((c) => c.kind !== 'covered') ?? covers[0] ?? { kind: 'none', callers: 'unseen' };
}

/** A key that nothing gives back marks what was done, and keeps nobody out of a row. */
function isLock(unit: Unit, { operation, key }: HeldLock): boolean {
  return operation.scope !== 'manual' || operation.link !== 'key' || lockOperations(unit).some((o) => o.kind === 'release' && sameKey(o.key, key));
}

function relation(key: Term, identity: readonly Term[]): 'covered' | 'misses' | 'undecided' {
  const inKey = namesIn(key);
  if (inKey.opaque) return 'undecided';
  if (inKey.names.size === 0) return 'covered';
  const inRow = identity.map(namesIn);
  if (inRow.some(({ names }) => [...names].some((n) => inKey.names.has(n)))) return 'covered';
  return identity.length === 0 || inRow.some((r) => r.opaque || r.names.size === 0) ? 'undecided' : 'misses';
}

/** The names a term is made of, as far as they are in sight. A property speaks for its object: `run:${step.runId}` covers `step.id`. */
function namesIn(term: Term): { readonly names: ReadonlySet<string>; readonly opaque: boolean } {
  const names = new Set<string>();
  let opaque = false;
  walkTerm(term, (t) => {
    if (t.kind === 'symbol' && t.name !== 'this') names.add(t.id);
    if (t.kind === 'unknown' || t.kind === 'call') opaque = true;
  });
  return { names, opaque };
}
