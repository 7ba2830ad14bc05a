import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Torn } from '../src/engine/judge/split.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'no-split-transition',
  skill: 'F3',
  dimension: 'D5',
  subjects: ['T'],
  family: 'state',
  profile: 'recommended',
  summary: 'A state and the message about it become visible together, or the state first.',
  messages: {
    'two-commits': 'This event and the state of {{target}} (line {{line}}) are two commits: a crash in between loses one, and a quicker worker puts its own event first. Write both in one transaction.',
    uncommitted: 'This leaves before the transaction of line {{line}} commits: who gets it reads the old {{target}}, and after a rollback it is out all the same. Send it after the commit, or as an outbox row.',
    before: 'This leaves before {{target}} is written on line {{line}}: a quick worker meets the old state and drops it, and when the write misses it is out all the same. Write first, then send.',
    after: 'A crash between the write of line {{line}} and this message loses it, and no worker hears of the new state of {{target}}. Put an outbox row into the transaction, or sweep for such rows.',
  },
  validation: ['V5', 'V8'],
  judge: (subject: Subject) => (subject.kind === 'T' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

const ACTIONS: Readonly<Record<Torn['kind'], string>> = {
  'two-commits': 'Write the state and its event in one transaction.',
  uncommitted: 'Send the message after the commit, or write an outbox row in the transaction.',
  before: 'Write the state first, and send the message only when the write hit.',
  after: 'Write an outbox row in the transaction of the state, or find unsent rows by a sweep.',
};

function judge(subject: TransitionSubject): Outcome {
  const { write } = subject.transition;
  const split = subject.split();
  const target = write.target === undefined ? 'the row' : quoted(write.target, 28);
  switch (split.kind) {
    case 'none': return { status: 'not-applicable' };
    case 'joined': return { status: 'verified', evidence: [{ place: split.at, note: 'one transaction carries the state and the message' }] };
    case 'unknown': return { status: 'unknown', missing: { fact: `which transaction carries the state of ${target} and the message about it`, question: 'Are the state and its event committed in one transaction?' } };
    default: return {
      // Who is to conflict with the write is not named here.
      status: 'violated',
      certainty: split.sure ? 'likely' : 'possible',
      at: split.at,
      messageId: split.kind,
      data: { target, line: String(split.line) },
      witness: split.witness,
      action: ACTIONS[split.kind],
    };
  }
}
