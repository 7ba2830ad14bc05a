import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ReadsOfSection } from '../src/engine/judge/stale-of.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'no-read-before-lock',
  skill: 'R1',
  dimension: 'D3',
  subjects: ['T', 'A'],
  family: 'state',
  profile: 'recommended',
  summary: 'What decides a write under a lock must be read under that lock.',
  messages: {
    value: 'This write is made of what {{read}} gave on line {{line}}, before {{key}} was held: the change of a worker that held it in between is lost. Read again under the lock.',
    test: 'This hangs on a test of what {{read}} gave on line {{line}}, before {{key}} was held: a second worker passes the same test, waits, and does it again. Test again under the lock.',
  },
  validation: ['V1', 'V8'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judgeSection(subject) : subject.kind === 'T' ? judgeWrite(subject) : { status: 'not-applicable' }),
};
export default rule;

/** Sections whose write is no write of step state: a store object, a document, an effect. */
function judgeSection({ claim, reads }: AcquisitionSubject): Outcome {
  if (claim) return { status: 'not-applicable' };
  const found = reads();
  if (found.kind === 'stale') return found.toldElsewhere ? { status: 'not-applicable' } : violated(found);
  return found.kind === 'fresh' ? { status: 'verified', evidence: [{ place: found.at, note: 'read under the lock' }] } : { status: 'not-applicable' };
}

function judgeWrite({ transition, place, unit, lock, reads }: TransitionSubject): Outcome {
  const { write, grade, reads: before } = transition;
  if (write.verb === 'delete' || transition.through !== undefined) return { status: 'not-applicable' };
  const found = reads();
  if (found.kind === 'stale') return { ...violated(found), ...(found.toldElsewhere && { supersededBy: rule.id }) };
  const { cover, held } = lock();
  if (cover !== 'covered' || held === undefined) return { status: 'not-applicable' };
  if (grade.grade !== 'unknown' && grade.grade >= 4) return { status: 'verified', evidence: [{ place, note: grade.evidence }] };
  const fresh = before.map((r) => unit.placeOf(r.node)).find((p) => p.line >= held.place.line);
  if (fresh !== undefined) return { status: 'verified', evidence: [{ place: fresh, note: 'read under the lock' }] };
  return { status: 'unknown', missing: { fact: `when the row was read that decides this write of ${write.target ?? 'the row'}`, question: `Is the row read after ${quoted(held.key, 30)} is held?` } };
}

function violated({ at, by, read, readText, key, sure, isCache, witness }: ReadsOfSection & { readonly kind: 'stale' }): Outcome & { readonly status: 'violated' } {
  return {
    status: 'violated',
    certainty: isCache ? 'possible' : sure ? 'certain' : 'likely',
    at,
    messageId: by,
    data: { read: quoted(readText, 32), line: String(read.line), key: quoted(key, 30) },
    witness,
    action: by === 'value' ? 'Read the row again after the acquire, and write what is made of that.' : 'Repeat the test on a row that is read after the acquire.',
  };
}
