import type { Certainty, Outcome } from '../src/engine/judge/outcome.js';
import type { ImplementationSubject } from '../src/engine/judge/implementation-subject.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-fail-open',
  skill: 'F4',
  dimension: 'D5',
  subjects: ['A', 'I'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Without its lock store, work must stop, not go on without the lock.',
  messages: {
    errorAnswer: 'When the store fails, {{text}} tells the caller that it holds {{key}}: in an outage every worker is told so, and all run at once. Throw, or say no, here.',
    errorWork: 'When the store fails, {{text}} runs without the lock {{key}}: in an outage every worker runs it at the same time. Stop here, and let the caller retry.',
    missingAnswer: 'Without a store, {{text}} tells the caller that it holds {{key}}: a second worker without one is told the same, and both run. Throw, or say no, here.',
    missingWork: 'Without a store, {{text}} runs without the lock {{key}}: a second worker runs it at the same time. Refuse to work without a store.',
    noop: '{{name}} gives the lock to everybody{{where}}: a second worker gets it too, and both run at once. Refuse to start without a lock store, or answer no.',
    unasked: 'When {{bound}} is 0 this loop asks nobody, and {{name}} says on line {{line}} that it holds the lock: a second worker is told the same. Ask at least once, or answer no behind the loop.',
  },
  validation: ['V6'],
  judge(subject: Subject) {
    if (subject.kind === 'A') return judgeAcquisition(subject);
    return subject.kind === 'I' ? judgeImplementation(subject) : { status: 'not-applicable' };
  },
};
export default rule;

function judgeAcquisition(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key } = subject;
  // What ends with its transaction is asked on the connection that the work needs too.
  if (operation.scope === 'transaction') return { status: 'not-applicable' };
  const outage = subject.outage();
  if (outage.kind === 'documented') return { status: 'not-applicable' };
  if (outage.kind === 'unknown') return { status: 'unknown', missing: { fact: `what becomes of the work when ${quotedApi(operation.api)} on ${key} fails`, question: 'Does the work stop when the lock store fails?', configKey: 'policy.onOutage' } };
  if (outage.kind === 'open') {
    const { cause, by, at, text, witness } = outage;
    return {
      status: 'violated', certainty: certaintyOf(subject), at, messageId: by === 'answer' ? (cause === 'error' ? 'errorAnswer' : 'missingAnswer') : cause === 'error' ? 'errorWork' : 'missingWork',
      data: { key, text: text === '' ? 'this' : quoted(text, 30) }, witness, action: 'Let the error out, or answer as for a refused lock, so that the work does not run.',
    };
  }
  const note = outage.kind === 'told-closed' ? 'the policy of the code base says that work stops without an answer of the store' : outage.kind === 'asked' ? 'it goes on without a store only where a caller asks for it' : 'without an answer of the store the work does not run';
  return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note }] };
}

/** Whether a marker of "done once" that cannot be set lets the work go on is a choice between twice and never: a marker says so by a value that names nobody. */
function certaintyOf({ operation, claim, plainlyLock }: AcquisitionSubject): Certainty {
  const { owner } = operation;
  const namesNobody = owner === undefined || owner.kind === 'const' || (owner.kind === 'call' && owner.fresh === 'clock');
  if (namesNobody && !plainlyLock) return 'possible';
  return operation.evidence === 'model' && !claim ? 'certain' : 'likely';
}

function judgeImplementation({ name, place, operations, alwaysGranted, unaskedGrant }: ImplementationSubject): Outcome {
  if (operations.length === 0) return { status: 'not-applicable' };
  const found = alwaysGranted();
  const unasked = found === undefined ? unaskedGrant() : undefined;
  if (unasked !== undefined) {
    const { loop, bound, at, operation, byCaller } = unasked;
    return {
      status: 'violated', certainty: byCaller ? 'likely' : 'possible', at: loop, messageId: 'unasked', data: { bound: quoted(bound, 30), name: quoted(operation, 30), line: String(at.line) },
      witness: [{ place: loop, role: 'test', note: 'no round is made, so that nobody is asked' }, { place: at, role: 'exit', note: 'the lock is taken for granted' }],
      action: 'Ask at least once, or answer no behind the loop.',
    };
  }
  if (found === undefined) return { status: 'verified', evidence: [{ place, note: 'no operation of it says yes without asking' }] };
  if (found.documented) return { status: 'not-applicable' };
  const { use, at, by, operation } = found;
  if (use === undefined) return { status: 'unknown', missing: { fact: `who uses ${quoted(name)}, which gives the lock to everybody`, question: `Is ${quoted(name)} used by tests alone?` } };
  return {
    status: 'violated', certainty: use.isAlternative ? 'certain' : 'likely', at, messageId: 'noop',
    data: { name: quoted(by === 'work' || name === operation ? operation : `${name}.${operation}`, 40), where: use.isAlternative ? `, in place of a store that is not there (line ${use.at.line})` : '' },
    witness: [{ place: use.at, role: 'enter', note: 'this lock is put to use here' }, { place: at, role: by === 'work' ? 'call' : 'exit', note: by === 'work' ? 'the work runs, and nobody was asked' : 'the lock is granted, and nobody was asked' }],
    action: 'Throw when no lock store is configured.',
  };
}
