import type { Outcome } from '../src/engine/judge/outcome.js';
import type { ImplementationSubject } from '../src/engine/judge/implementation-subject.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-lock-events',
  skill: 'R7',
  dimension: 'D5',
  subjects: ['I'],
  family: 'lock-use',
  profile: 'strict',
  summary: 'A lock must report what happens to it: acquired, contended, extended, released, expired.',
  messages: {
    silent: '{{name}} reports nothing: when a second worker is turned away, or a lease is lost, nobody can tell afterwards who held the lock. Report {{events}} here.',
  },
  validation: ['V1', 'V3'],
  judge: (subject: Subject) => (subject.kind === 'I' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge({ operations, place, silent }: ImplementationSubject): Outcome {
  const all = silent();
  if (operations.length === 0) return { status: 'not-applicable' };
  const first = all.find((o) => !o.delegates);
  const [other] = all;
  if (first === undefined && other !== undefined) return { status: 'unknown', missing: { fact: `whether the lock that ${quoted(other.name, 40)} hands its calls to reports them`, question: 'Does the lock behind this one report what happens to it?' } };
  if (first === undefined) return { status: 'verified', evidence: [{ place, note: 'each operation reports something' }] };
  return {
    status: 'violated', certainty: 'likely', at: first.at, messageId: 'silent', data: { name: quoted(first.name, 40), events: first.events },
    witness: all.map((o) => ({ place: o.at, role: 'enter', note: `reports none of ${o.events}` })), action: 'Emit a structured event for each outcome of the operation.',
  };
}
