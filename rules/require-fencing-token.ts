import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Subject } from '../src/engine/judge/subject.js';
import { BY_THE_STORE, type TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'require-fencing-token',
  skill: 'R6',
  dimension: 'D3',
  subjects: ['T'],
  family: 'state',
  profile: 'strict',
  summary: 'A write of step state must carry the fencing token that its function has at hand.',
  messages: {
    missing: '{{target}} is written without {{token}} (line {{line}}), which tells this turn from the next: a worker that lost its lock and wakes up late overwrites the new owner. Compare it in this statement.',
    unchecked: '{{target}} gets {{token}} (line {{line}}) as a value, and nothing compares it: a worker that lost its lock and wakes up late overwrites the new owner. Compare it in the condition.',
  },
  validation: ['V3', 'V5'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge({ transition, place, token }: TransitionSubject): Outcome {
  const { write, grade, protectedBy } = transition;
  if (write.verb === 'delete' || transition.through !== undefined || (protectedBy !== undefined && BY_THE_STORE.has(protectedBy.kind))) return { status: 'not-applicable' };
  if (grade.grade === 5) return { status: 'verified', evidence: [{ place, note: grade.evidence }] };
  const found = token();
  if (found === undefined) return { status: 'not-applicable' };
  const isCall = write.verb === 'persist' || write.verb === 'verb' || write.verb === 'save';
  // The claim that brings the token along puts it there.
  if (found.reaches && !isCall && grade.grade === 4) return { status: 'verified', evidence: [{ place, note: `${quoted(found.text, 32)} is written with the claim` }] };
  if (write.whereOpen || grade.grade === 'unknown' || (found.reaches && isCall)) {
    const target = write.target ?? 'the row';
    return { status: 'unknown', missing: { fact: `whether the write of ${target} compares ${found.text}`, question: `Does ${target} refuse a write with an old ${found.text}?` } };
  }
  return {
    status: 'violated',
    certainty: 'likely',
    at: place,
    messageId: found.reaches ? 'unchecked' : 'missing',
    data: { target: write.target === undefined ? 'The row' : quoted(write.target, 24), token: quoted(found.text, 32), line: String(found.at.line) },
    witness: [
      { place: found.at, role: found.from === 'grant' ? 'acquire' : found.from === 'row' ? 'read' : 'enter', note: `${quoted(found.text, 32)} is at hand` },
      { place, role: 'write', note: 'does not compare it' },
    ],
    action: 'Put the token into the condition of this statement, and treat a miss as a lost lock.',
  };
}
