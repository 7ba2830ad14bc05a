import type { EndsEarly, LockEnd } from '../src/engine/judge/early-release.js';
import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-release-before-commit',
  skill: 'R1',
  dimension: 'D3',
  subjects: ['L', 'A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A lock is freed after the transaction with the protected write has committed.',
  messages: {
    release: '{{key}} is freed before the transaction of line {{line}} commits: the next worker takes it, reads the old rows and overwrites what is committed after. Free it behind the commit.',
    scope: 'The lock on {{key}} ends inside of the transaction of line {{line}}: before the commit the next worker takes it, reads the old rows and writes over them. Open the transaction inside of the lock.',
    handed: 'The lock on {{key}} ends here, and the caller commits {{handle}} later: in between the next worker takes the lock and reads the old rows. Take it where the transaction is opened, around it.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'L' ? judgeRelease(subject) : subject.kind === 'A' ? judgeScope(subject) : { status: 'not-applicable' }),
};
export default rule;

function judgeRelease(subject: ReleaseSubject): Outcome {
  const { operation, unit, key } = subject;
  // COMMIT itself ends it.
  if (subject.claim || (operation.link === 'connection' && !operation.api.startsWith('pg_'))) return { status: 'not-applicable' };
  return judged(subject.end(), { key, at: unit.placeOf(operation.node), messageId: 'release', isShown: operation.evidence === 'model' || operation.evidence === 'declared' });
}

function judgeScope(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key } = subject;
  if (subject.claim || (operation.scope !== 'callback' && operation.scope !== 'using')) return { status: 'not-applicable' };
  return judged(subject.end(), { key, at: unit.placeOf(operation.node), messageId: 'scope', isShown: operation.evidence === 'model' || operation.evidence === 'declared' });
}

interface Told {
  readonly key: string;
  readonly at: EndsEarly['opened'];
  readonly messageId: 'release' | 'scope';
  readonly isShown: boolean;
}

function judged(end: LockEnd, { key, at, messageId, isShown }: Told): Outcome {
  switch (end.kind) {
    case 'apart': return { status: 'not-applicable' };
    case 'after': return { status: 'verified', evidence: [{ place: end.at, note: 'the transaction ends under the lock' }] };
    case 'unknown': return { status: 'unknown', missing: { fact: `whether ${key} outlives the transaction around it`, question: 'Which transaction carries the writes under this lock, and is it committed before the lock is freed?' } };
    case 'early': return {
      status: 'violated',
      certainty: end.writes && end.by !== 'handed' && isShown ? 'certain' : 'likely',
      at,
      messageId: end.by === 'handed' ? 'handed' : messageId,
      data: { key, line: String(end.opened.line), handle: quoted(end.handle, 24) },
      witness: end.witness,
      action: 'Take the lock before the transaction is opened, and free it after the commit.',
    };
  }
}
