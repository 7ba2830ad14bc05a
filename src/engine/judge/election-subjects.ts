import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { electionsOf } from '../time/election.js';
import { keyParts } from './key-parts.js';
import { lossOfAcquire } from './loss-facts.js';
import { ownerOfAcquire } from './owner-of-acquire.js';
import { quoted } from './quoted.js';
import type { AcquisitionSubject } from './subject.js';

/** Leadership that events open and close: no statement holds it, so it stands apart from the locks of a path. */
export function electionSubjects(unit: Unit): AcquisitionSubject[] {
  return electionsOf(unit).map(({ operation }) => ({
    kind: 'A', unit, operation, key: quoted(showTerm(operation.key)), keyIsTelling: false, onSameKey: [], besides: [], claim: false, plainlyLock: true,
    paths: () => undefined,
    inAsync: false,
    promise: () => ({ kind: 'unknown' }),
    owner: () => ownerOfAcquire(unit, operation, [], []),
    section: () => ({ kind: 'none' }),
    keyParts: () => keyParts(unit, operation, []),
    leaseTime: () => ({ ttlMs: undefined, renewal: undefined, section: undefined, cap: undefined }),
    loss: () => lossOfAcquire(unit, operation),
  }));
}
