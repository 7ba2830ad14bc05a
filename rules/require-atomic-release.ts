import { asksWhetherClientCan } from '../src/engine/judge/client-ability.js';
import type { Outcome } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ExtensionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-atomic-release',
  skill: 'R5',
  dimension: 'D1',
  subjects: ['L', 'E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Release and renewal must compare the owner and act in one atomic step.',
  messages: {
    release: '{{api}} frees {{key}} without comparing the owner in the same step: after expiry it deletes the next worker\'s lock. Compare and delete in one step.',
    renewal: '{{api}} renews {{key}} without comparing the owner: after expiry it prolongs or replaces the next worker\'s lock. Compare and renew in one step.',
    overwritten: '{{api}} replaces the lock entry {{key}} itself: the owner token is gone, the release fails and the next worker cannot get in. Keep data and lock under two keys.',
    revived: 'This script takes {{key}} again when it has expired and reports it as kept: a worker that held it in between goes unseen. Report the lock as lost.',
  },
  validation: ['V2', 'V3'],
  judge: (subject: Subject) => (subject.kind === 'L' ? judgeRelease(subject) : subject.kind === 'E' ? judgeExtension(subject) : { status: 'not-applicable' }),
};
export default rule;

function judgeRelease(subject: ReleaseSubject): Outcome {
  if (subject.claim && subject.operation.api !== 'redis script') return { status: 'not-applicable' };
  // A call of an interface is judged by require-release-owner; the body of what is called, where it can be read, in its own place.
  if (subject.operation.evidence === 'declared' || subject.operation.evidence === 'body') return { status: 'not-applicable' };
  if (subject.operation.ownerCheck === 'atomic') return proven(subject);
  if (subject.operation.ownerCheck !== 'none') return unknown(subject);
  return isFallback(subject) ? { status: 'unknown', missing: { fact: `whether a client ever comes here that cannot free ${subject.key} in one step`, question: 'Which clients lack the script that is used before?' } } : violated(subject, 'release');
}

/** The function frees the lock in one step before, and comes here where a client cannot. */
function isFallback({ unit, operation, besides }: ReleaseSubject): boolean {
  return besides.some((o) => o.kind === 'release' && o !== operation && o.ownerCheck === 'atomic' && o.node.end <= operation.node.pos && asksWhetherClientCan(unit, o.node));
}

function judgeExtension(subject: ExtensionSubject): Outcome {
  const { operation } = subject;
  if (operation.kind === 'overwrite') {
    if (isUnderHandle(subject)) return violated(subject, 'overwritten');
    return isBlindRenewal(subject) ? violated(subject, 'renewal') : { status: 'not-applicable' };
  }
  if (operation.evidence === 'declared' || operation.evidence === 'body' || isFirstExpiry(subject)) return { status: 'not-applicable' };
  if (subject.claim && operation.api !== 'redis script') return { status: 'not-applicable' };
  if (operation.recreates) return violated(subject, 'revived');
  if (operation.ownerCheck === 'atomic') return proven(subject);
  return operation.ownerCheck === 'none' ? violated(subject, 'renewal') : unknown(subject);
}

/** The lock of this function was given as a handle by a library, which keeps its token under the key. */
function isUnderHandle({ operation, besides }: ExtensionSubject): boolean {
  return besides.some((o) => o.kind === 'acquire' && o.link === 'handle' && o.evidence === 'model' && o.node.pos < operation.node.pos);
}

/** The owner of the acquire is put into the key again, with a new TTL, whoever is in there by now. */
function isBlindRenewal({ operation, ownerRelation, besides }: ExtensionSubject): boolean {
  if (operation.kind !== 'overwrite' || operation.ttl.kind === 'none' || ownerRelation !== 'equal') return false;
  // Before the acquire it takes the lock by force.
  return !besides.some((o) => o.kind === 'acquire' && o.node.pos > operation.node.pos);
}

/** The EXPIRE that follows SETNX in one function is the TTL of the acquire, judged by require-ttl. */
function isFirstExpiry({ operation, besides }: ExtensionSubject): boolean {
  return besides.some((o) => o.kind === 'acquire' && o.bare && o.node.pos < operation.node.pos);
}

function proven(subject: ReleaseSubject | ExtensionSubject): Outcome {
  return { status: 'verified', evidence: [{ place: subject.unit.placeOf(subject.operation.node), note: 'the owner is compared in the step that acts' }] };
}

function violated(subject: ReleaseSubject | ExtensionSubject, messageId: 'release' | 'renewal' | 'revived' | 'overwritten'): Outcome {
  const { unit, operation, onSameKey, besides, key, keyIsTelling, plainlyLock } = subject;
  const taken = onSameKey.find((o) => o.kind === 'acquire');
  const place = unit.placeOf(operation.node);
  const compared = besides.find((o) => o.kind === 'inspect' && o.node.pos < operation.node.pos);
  return {
    status: 'violated',
    // What the platform ends before its lock runs out frees its own. Two methods that take a bare `key` may speak of different keys, and a key that nothing calls a lock may be a marker and its undo.
    certainty: subject.kind === 'L' && subject.outlived() ? 'possible' : messageId === 'revived' || (taken !== undefined && plainlyLock && (keyIsTelling || besides.includes(taken))) ? 'certain' : 'likely',
    at: place,
    messageId,
    data: { api: quotedApi(operation.api), key },
    witness: [
      ...(taken === undefined ? [] : [{ place: unit.placeOf(taken.node), role: 'acquire' as const, note: `${quotedApi(taken.api)} takes ${key}` }]),
      ...(compared === undefined ? [] : [{ place: unit.placeOf(compared.node), role: 'read' as const, note: 'the key is read by an earlier command, which proves nothing at the next one' }]),
      { place, role: subject.kind === 'L' ? ('release' as const) : ('renew' as const), note: `${quotedApi(operation.api)} acts on the key whoever owns it by now` },
    ],
    action: messageId === 'overwritten' ? 'Give the lock a key of its own.' : `Compare the owner token and ${subject.kind === 'L' ? 'delete' : 'renew'} in one step: a script, or a condition of the statement.`,
  };
}

function unknown({ operation, key }: ReleaseSubject | ExtensionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `whether ${quotedApi(operation.api)} compares the owner of ${key}`, question: 'Does this script act only for the current owner?' } };
}
