import type ts from 'typescript';
import { hasConstantText, sameKey } from '../operations/lock-keys.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { Subject } from './subject.js';

/**
 * The subjects of a file. A DEL, EXPIRE or SET is one only where the file also takes a lock of the same key: elsewhere it is plain data.
 */
export function subjectsOf(unit: Unit): Subject[] {
  const all = operations(unit);
  const acquires = all.filter((o): o is AcquireOperation => o.kind === 'acquire');
  return all.flatMap((operation): Subject[] => {
    if (operation.kind === 'inspect') return [];
    const fn = enclosingFunction(unit, operation.node);
    const onSameKey = all.filter((o) => o !== operation && sameLock(unit, o, operation));
    const lock = operation.kind === 'acquire' ? operation : acquires.find((a) => sameLock(unit, a, operation));
    const together = lock === undefined || lock === operation ? onSameKey : all.filter((o) => o !== lock && sameLock(unit, o, lock));
    const claim = lock === undefined || isClaim(unit, lock, together);
    const plainlyLock = lock !== undefined && (saysLock(unit, lock) || together.some((o) => o.kind === 'release' && blockAround(unit, o) === 'finally'));
    const besides = onSameKey.filter((o) => enclosingFunction(unit, o.node) === fn);
    const base = { unit, key: showTerm(operation.key), keyIsTelling: hasConstantText(operation.key), onSameKey, besides, claim, plainlyLock };
    if (operation.kind === 'acquire') return [{ ...base, kind: 'A', operation }];
    // A script that compares the owner says by itself that its key is a lock.
    if (operation.kind === 'release') return lock === undefined && operation.api !== 'redis script' ? [] : [{ ...base, kind: 'L', operation }];
    if (operation.kind === 'extend') return lock === undefined && operation.api !== 'redis script' ? [] : [{ ...base, kind: 'E', operation }];
    return lock === undefined || claim ? [] : [{ ...base, kind: 'E', operation }];
  });
}

/** A bare `key` of two methods may be any two keys, as in a cache service: there only a lock word in one of their names connects them. */
function sameLock(unit: Unit, a: Operation, b: Operation): boolean {
  if (!sameKey(a.key, b.key)) return false;
  return hasConstantText(a.key) || sameTerm(a.key, b.key) || saysLock(unit, a) || saysLock(unit, b);
}

/**
 * A marker of "done once" rather than a lock: nothing gives it back, or only the winner's undo after a failure does, and no word calls it a
 * lock. A release that runs whatever happened (`finally`, a method of its own) makes it a lock.
 */
function isClaim(unit: Unit, lock: AcquireOperation, onSameKey: readonly Operation[]): boolean {
  if (onSameKey.some((o) => o.api === 'redis script')) return false;
  const releases = onSameKey.filter((o) => o.kind === 'release');
  if (releases.some((release) => !isUndo(unit, lock, release))) return false;
  return releases.some((release) => blockAround(unit, release) === 'catch') || !saysLock(unit, lock);
}

function saysLock(unit: Unit, lock: Operation): boolean {
  return LOCK_WORDS.test(`${showTerm(lock.key)} ${functionName(unit, enclosingFunction(unit, lock.node))}`);
}

const LOCK_WORDS = /lock|mutex|lease|leader|semaphore/i;

function isUndo(unit: Unit, lock: Operation, release: Operation): boolean {
  const block = blockAround(unit, release);
  return block === 'catch' || (block === 'plain' && enclosingFunction(unit, lock.node) === enclosingFunction(unit, release.node));
}

/** The innermost part of a try statement, within its function, that an operation stands in. */
function blockAround(unit: Unit, operation: Operation): 'catch' | 'finally' | 'plain' {
  const { ts } = unit;
  const fn = enclosingFunction(unit, operation.node);
  for (let n: ts.Node = operation.node; n !== fn; n = n.parent) {
    if (ts.isCatchClause(n)) return 'catch';
    if (ts.isTryStatement(n.parent) && n.parent.finallyBlock === n) return 'finally';
  }
  return 'plain';
}
