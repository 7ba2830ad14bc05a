import type { LossFacts } from '../src/engine/judge/loss-facts.js';
import type { Certainty, Outcome, Violated } from '../src/engine/judge/outcome.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ExtensionSubject, Subject } from '../src/engine/judge/subject.js';
import type { Place, WitnessStep } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'no-write-after-expiry',
  skill: 'F2',
  dimension: 'D3',
  subjects: ['A', 'E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Work under a lock must stop when it learns that the lock is lost.',
  messages: {
    absent: 'This section takes no abort signal: when {{key}} cannot be renewed, the next worker enters and {{step}} (line {{line}}) still runs here. Take the signal and ask it before each write.',
    unread: '{{step}} runs without asking {{signal}}: when {{key}} was lost during the wait before, the next worker is at the same work. Test `aborted` first.',
    handler: 'When {{key}} is lost this handler only tells people: the work goes on beside the next worker. Let it abort a signal that the work asks before each write.',
    election: '{{step}} goes on after leadership of {{key}} is lost: the next leader runs the same work beside it, and a new election starts another one here. Let the loss stop it.',
  },
  validation: ['V3'],
  judge: (subject: Subject) => (subject.kind === 'A' || subject.kind === 'E' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject | ExtensionSubject): Outcome {
  const loss = subject.loss();
  if (loss === undefined) return { status: 'not-applicable' };
  if (loss.kind === 'signal') return judgeSignal(subject, loss);
  if (loss.kind === 'handler') {
    if (loss.heeds === undefined) return unknown(subject);
    return loss.heeds ? verified(loss.place, 'the loss is heeded here') : violated(subject, 'handler', 'likely', loss.place, {}, [{ place: loss.place, role: 'lose', note: 'the loss stops nothing' }]);
  }
  return judgeElection(subject, loss);
}

function judgeSignal(subject: AcquisitionSubject | ExtensionSubject, { use, name, step, text }: LossFacts & { kind: 'signal' }): Outcome {
  if (use === 'heeded') return verified(step, `${quoted(name)} is asked or handed on`);
  if (use === 'short') return verified(step, 'nothing with an effect runs after a wait');
  const lost: WitnessStep = { place: subject.unit.placeOf(subject.operation.node), role: 'lose', note: 'the renewal fails while the section waits' };
  const after: WitnessStep = { place: step, role: 'write', note: 'runs all the same' };
  if (use === 'absent') return violated(subject, 'absent', 'likely', subject.unit.placeOf(subject.operation.node), { step: quoted(text, 30), line: String(step.line) }, [lost, after]);
  return violated(subject, 'unread', 'likely', step, { step: quoted(text, 36), signal: quoted(name, 24) }, [lost, after]);
}

function judgeElection(subject: AcquisitionSubject | ExtensionSubject, { endless, text, lost, lostActs }: LossFacts & { kind: 'election' }): Outcome {
  if (endless === undefined) return lost !== undefined && lostActs ? verified(lost, 'the loss of leadership is heeded here') : unknown(subject);
  const told: readonly WitnessStep[] = lost === undefined ? [] : [{ place: lost, role: 'lose', note: lostActs ? 'the loss cannot stop it' : 'the loss is only told' }];
  return violated(subject, 'election', 'likely', endless, { step: quoted(text, 30) }, [...told, { place: endless, role: 'write', note: 'goes on' }]);
}

function verified(place: Place, note: string): Outcome {
  return { status: 'verified', evidence: [{ place, note }] };
}

function violated(subject: AcquisitionSubject | ExtensionSubject, messageId: string, certainty: Certainty, at: Place, data: Readonly<Record<string, string>>, then: readonly WitnessStep[]): Violated {
  const { unit, operation, key } = subject;
  return {
    status: 'violated',
    certainty,
    at,
    messageId,
    data: { key: quoted(key, 40), ...data },
    witness: [{ place: unit.placeOf(operation.node), role: 'acquire', note: `${quotedApi(operation.api)} holds ${key}` }, ...then],
    action: 'Ask before each write whether the lock is still held, and stop where it is not.',
  };
}

function unknown({ key }: AcquisitionSubject | ExtensionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `what stops when ${key} is lost`, question: 'Which code stops the work when the lock is lost?' } };
}
