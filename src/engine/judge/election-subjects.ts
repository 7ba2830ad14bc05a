import { showTerm } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { electionsOf } from '../time/election.js';
import { factsApart } from './lock-facts.js';
import { lossOfAcquire } from './loss-facts.js';
import { quoted } from './quoted.js';
import type { AcquisitionSubject } from './subject.js';

/** Leadership that events open and close: no statement holds it, so it stands apart from the locks of a path. */
export function electionSubjects(unit: Unit): AcquisitionSubject[] {
  return electionsOf(unit).map(({ operation }) => ({
    ...factsApart(unit, operation),
    kind: 'A', unit, operation, key: quoted(showTerm(operation.key)), keyIsTelling: false, onSameKey: [], besides: [], claim: false, plainlyLock: true, locksRow: false, inAsync: false,
    promise: () => ({ kind: 'unknown' }),
    loss: () => lossOfAcquire(unit, operation),
  }));
}
