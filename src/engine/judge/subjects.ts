import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { hasConstantText, sameKey } from '../operations/lock-keys.js';
import type { AcquireOperation, ExtendOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import { compareTerms, mentions, sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, functionName } from '../syntax/expression.js';
import { freshnessOf, isOwnField, showTerm, walkTerm, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { acquisitionFacts, releaseFacts } from './lock-facts.js';
import { isOnGrantedKey, isRepeated, namesOwnerOf, writesOwnerOf } from './granted-part.js';
import { isOnLockStore } from './lock-store.js';
import { ownPromise } from './own-promise.js';
import { pathFinder } from './paths.js';
import { rowLockSubjects } from './row-lock-subjects.js';
import { quoted } from './quoted.js';
import { strayKeys } from './stray-key.js';
import { tokenGiven } from './token-given.js';
import { lossOfRenewal } from './loss-facts.js';
import { renewalFacts } from './renewal-facts.js';
import { isUndoneByCallers } from './undone-by-callers.js';
import type { LockSubject, ReleaseSubject } from './subject.js';
import { Kept } from '../kept.js';

/**
 * The subjects of a file. A DEL, EXPIRE or SET is one only where the file also takes a lock of the same key: elsewhere it is plain data.
 */
export function subjectsOf(unit: Unit): LockSubject[] {
  const all = lockOperations(unit);
  const acquires = all.filter((o): o is AcquireOperation => o.kind === 'acquire');
  const strays = strayKeys(unit, all);
  const sameLock = (a: Operation, b: Operation): boolean => strays.get(a)?.acquire === b || strays.get(b)?.acquire === a || isSameLock(unit, a, b);
  const finder = pathFinder(unit, all.filter((o) => o.evidence !== 'body'));
  const rowLocks = rowLockSubjects(unit, new Set(all.map((o) => o.node)));
  return [...rowLocks, ...all.flatMap((operation): LockSubject[] => {
    if (operation.kind === 'inspect') return [];
    const fn = enclosingFunction(unit, operation.node);
    const onSameKey = all.filter((o) => o !== operation && sameLock(o, operation));
    const lock = operation.kind === 'acquire' ? operation : acquires.find((a) => sameLock(a, operation));
    const together = lock === undefined || lock === operation ? onSameKey : all.filter((o) => o !== lock && sameLock(o, lock));
    const isCompared = (operation.kind === 'release' || operation.kind === 'extend') && operation.compared === true;
    // What a known API renews by its handle is a lock, wherever it was taken.
    const isRenewal = operation.kind === 'extend' && (operation.evidence === 'name' || operation.beats === true || (operation.evidence === 'model' && operation.link === 'handle'));
    const claim = operation.evidence !== 'declared' && !isCompared && !isRenewal && (lock === undefined || isClaim(unit, lock, together));
    const plainlyLock = lock !== undefined && (saysLock(unit, lock) || together.some((o) => o.kind === 'release' && blockAround(unit, o) === 'finally'));
    const besides = onSameKey.filter((o) => enclosingFunction(unit, o.node) === fn);
    const base = { unit, inAsync: isAsync(unit, fn), promise: () => ownPromise(unit, operation), key: quoted(showTerm(operation.key)), keyIsTelling: hasConstantText(operation.key), onSameKey, besides, claim, plainlyLock };
    if (operation.kind === 'acquire') return [{ ...base, ...acquisitionFacts(unit, operation, { all, acquires, onSameKey, finder }), kind: 'A', operation, locksRow: false }];
    // A script that compares the owner says by itself that its key is a lock.
    if (operation.kind === 'release') {
      const ofThis = onSameKey.filter((o): o is AcquireOperation => o.kind === 'acquire');
      return lock === undefined && !isCompared && operation.api !== 'redis script' && operation.evidence !== 'declared' ? [] : [{ ...base, ...ownerOf(unit, operation, besides), ...keyNamed(operation), ...releaseFacts(unit, operation, ofThis, finder), kind: 'L', operation, acquires: ofThis }];
    }
    if (operation.kind === 'extend') return lock === undefined && operation.api !== 'redis script' && operation.evidence !== 'declared' && !isRenewal && !isCompared ? [] : [{ ...base, ...ownerOf(unit, operation, besides), ...keyNamed(operation), kind: 'E', operation, renewsLock: renewsLock(unit, operation, lock, claim), renewal: () => renewalFacts(unit, operation, all), loss: () => lossOfRenewal(unit, operation) }];
    return lock === undefined || claim ? [] : [{ ...base, ownerRelation: writesOwnerOf(unit, lock, operation) || (saysLock(unit, lock) && namesOwnerOf(lock, operation)) ? 'equal' : 'unknown', ownerText: '', acquiredFor: '', ...keyNamed(operation), kind: 'E', operation, renewsLock: true, renewal: () => renewalFacts(unit, operation, all), loss: () => undefined }];
  })];

  function keyNamed(operation: Operation): Pick<ReleaseSubject, 'stray' | 'takenKey'> {
    const stray = strays.get(operation);
    return { stray, takenKey: stray === undefined ? '' : quoted(showTerm(stray.acquire.key)) };
  }
}

function isAsync(unit: Unit, fn: ts.Node): boolean {
  const { ts } = unit;
  return ts.isSourceFile(fn) || (ts.canHaveModifiers(fn) && ts.getModifiers(fn)?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true);
}

function renewsLock(unit: Unit, operation: ExtendOperation, lock: AcquireOperation | undefined, claim: boolean): boolean {
  if (operation.api !== 'redis script') return !claim;
  return lock !== undefined || (operation.ownerCheck === 'atomic' && saysLock(unit, operation));
}

/** Compared within one function: two methods name their parameters as they like. */
function ownerOf(unit: Unit, operation: ReleaseOperation | ExtendOperation, besides: readonly Operation[]): Pick<ReleaseSubject, 'ownerRelation' | 'ownerText' | 'acquiredFor'> {
  // A token or grant that the acquire gave.
  const { owner } = operation;
  if (owner !== undefined && besides.some((o) => o.kind === 'acquire' && comesFrom(owner, o.node.pos))) return { ownerRelation: 'equal', ownerText: quoted(showTerm(owner), 24), acquiredFor: '' };
  // A field kept from an earlier call names the owner of that call, not the one that this call makes after it.
  const taken = besides.find((o): o is AcquireOperation => o.kind === 'acquire' && o.owner !== undefined && !(o.node.pos > operation.node.pos && owner !== undefined && isOwnField(owner)));
  const [a, b] = [operation.owner, taken?.owner];
  const token = a === undefined || b !== undefined ? undefined : besides.map((o) => (o.kind === 'acquire' ? tokenGiven(unit, o, a) : undefined)).find((t) => t !== undefined);
  if (a !== undefined && token !== undefined) return { ownerRelation: token.relation, ownerText: quoted(showTerm(a), 24), acquiredFor: quoted(token.name, 24) };
  if (a === undefined || b === undefined) return { ownerRelation: 'unknown', ownerText: a === undefined ? '' : quoted(showTerm(a), 24), acquiredFor: '' };
  const relation = compareTerms(a, b);
  const renamed = relation === 'undecided' && ((isName(a) && isName(b)) || lacksFreshPart(a, b)) ? 'different' : relation;
  return { ownerRelation: renamed === 'undecided' ? 'unknown' : renamed, ownerText: quoted(showTerm(a), 24), acquiredFor: quoted(showTerm(b), 24) };
}

function comesFrom(term: Term, site: number): boolean {
  let found = false;
  walkTerm(term, (t) => {
    if (t.kind === 'call' && t.site === site) found = true;
  });
  return found;
}

/** The acquire's owner was made anew here, and nothing of it is in the other, which is plain to see. */
function lacksFreshPart(named: Term, acquired: Term): boolean {
  let opaque = false;
  walkTerm(named, (t) => {
    if (t.kind === 'unknown' || (t.kind === 'call' && t.fresh === undefined) || (t.kind === 'call' && mentions(acquired, t))) opaque = true;
  });
  return freshnessOf(acquired) === 'random' && !opaque;
}

/** A plain name or property, or a value made anew: two that differ in one function are not the same owner. */
function isName(term: Term): boolean {
  return term.kind === 'symbol' || term.kind === 'path' || (term.kind === 'call' && term.fresh !== undefined);
}

/** A bare `key` of two methods may be any two keys, as in a cache service: there only a lock word in one of their names connects them. */
function isSameLock(unit: Unit, a: Operation, b: Operation): boolean {
  if (areOfTwoHandles(unit, a, b)) return false;
  if (a.evidence !== 'body' && b.evidence !== 'body' && (a.evidence === 'declared') !== (b.evidence === 'declared')) return false;
  if (isRedlock(a) !== isRedlock(b) && a.evidence === 'model' && b.evidence === 'model') return isOneOf(unit, a, b) || isOneOf(unit, b, a);
  if (!sameKey(a.key, b.key)) return (a.kind === 'acquire' && isOnGrantedKey(unit, a, b)) || (b.kind === 'acquire' && isOnGrantedKey(unit, b, a));
  return hasConstantText(a.key) || sameTerm(a.key, b.key) || (saysLock(unit, a) && mayBeOfLock(unit, b)) || (saysLock(unit, b) && mayBeOfLock(unit, a));
}

/** In a class that keeps locks and other data, a DEL of any `key` is one of a lock where its function says so. */
function mayBeOfLock(unit: Unit, operation: Operation): boolean {
  if (operation.kind === 'acquire' || operation.evidence !== 'model' || !/^(?:DEL|UNLINK|EXPIRE|PEXPIRE|SET)$/.test(operation.api)) return true;
  const name = functionName(unit, enclosingFunction(unit, operation.node));
  return name === '' || saysLock(unit, operation) || /release|free|renew|extend|refresh|heartbeat|keep|touch|drop|finish|stop|end|done|leave|dispose|relinquish|abandon|clear|reset/i.test(name);
}

/** A handle brings the key of its own acquire along: of two locks of one kind in one function, each release frees its own. */
function areOfTwoHandles(unit: Unit, a: Operation, b: Operation): boolean {
  if (!('link' in a && a.link === 'handle' && 'link' in b && b.link === 'handle') || a.evidence !== b.evidence) return false;
  return (a.kind === 'acquire') !== (b.kind === 'acquire') && !sameTerm(a.key, b.key) && enclosingFunction(unit, a.node) === enclosingFunction(unit, b.node);
}

/** A Redis command on the very key that redlock, which takes a list of keys, has made a lock of in the same function. */
function isOneOf(unit: Unit, lock: Operation, command: Operation): boolean {
  if (lock.kind !== 'acquire' || !isRedlock(lock) || command.kind === 'acquire' || !isOnLockStore(unit, command.node)) return false;
  const keys = lock.key.kind === 'list' ? lock.key.items : [lock.key];
  return enclosingFunction(unit, lock.node) === enclosingFunction(unit, command.node) && keys.some((k) => sameTerm(k, command.key));
}

function isRedlock({ api }: Operation): boolean {
  return /^(?:redlock|lock)\./.test(api);
}

/**
 * A marker of "done once" rather than a lock: nothing gives it back, or only the winner's undo after a failure does, and no word calls it a
 * lock. A release that runs whatever happened (`finally`, a method of its own) makes it a lock.
 */
function isClaim(unit: Unit, lock: AcquireOperation, onSameKey: readonly Operation[]): boolean {
  // What ends with its session or transaction marks nothing that is done, and nobody asks for a handle to leave it.
  // Nor what a section runs under.
  if (lock.evidence === 'declared' || lock.scope === 'callback' || lock.link === 'handle' || lock.ttl.kind === 'lapses-otherwise' || onSameKey.some((o) => o.api === 'redis script')) return false;
  // A marker says that something was done, not who is at it: what is put there again under the same name, to keep it, is a lease.
  if (onSameKey.some((o) => writesOwnerOf(unit, lock, o) && isKept(unit, lock, o))) return false;
  const freed = onSameKey.filter((o) => o.kind === 'release');
  // Where a wrapper is called, what its caller does tells, not the wrappers beside it.
  const own = lock.evidence === 'body' ? freed.filter((o) => enclosingFunction(unit, o.node) === enclosingFunction(unit, lock.node)) : [];
  const releases = own.length > 0 ? own : freed;
  if (releases.some((release) => !isUndo(unit, lock, release))) return false;
  return releases.some((release) => blockAround(unit, release) === 'catch') || !saysLock(unit, lock);
}

/** A new TTL by `SET .. XX` in a function of its own, or by any SET again and again. Once after the work it only makes a marker last. */
function isKept(unit: Unit, lock: Operation, operation: Operation): boolean {
  if (operation.kind === 'extend') return operation.ttl.kind !== 'none' && enclosingFunction(unit, operation.node) !== enclosingFunction(unit, lock.node);
  return operation.kind === 'overwrite' && operation.ttl.kind !== 'none' && isRepeated(unit, operation.node);
}

function saysLock(unit: Unit, lock: Operation): boolean {
  // Asked for each pair of operations.
  const held = said.get(lock);
  if (held !== undefined) return held;
  // What runs a function under it is no marker in a store.
  const says = lock.evidence === 'declared' || (lock.kind === 'acquire' && lock.scope === 'callback') || hasLockWord(unit, lock);
  said.set(lock, says);
  return says;
}

const said = new Kept<Operation, boolean>();

function hasLockWord(unit: Unit, lock: Operation): boolean {
  return LOCK_WORDS.test(`${lock.evidence === 'body' ? lock.api : ''} ${showTerm(lock.key)} ${functionName(unit, enclosingFunction(unit, lock.node))}`);
}

const LOCK_WORDS = /lock|mutex|lease|leader|semaphore/i;

function isUndo(unit: Unit, lock: Operation, release: Operation): boolean {
  const block = blockAround(unit, release);
  if (block === 'catch' || (block === 'plain' && enclosingFunction(unit, lock.node) === enclosingFunction(unit, release.node))) return true;
  return block === 'plain' && !saysLock(unit, lock) && isUndoneByCallers(unit, lock, release);
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
