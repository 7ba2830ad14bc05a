import type { Outcome } from '../src/engine/judge/outcome.js';
import type { ImplementationSubject } from '../src/engine/judge/implementation-subject.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-atomic-acquire',
  skill: 'R1',
  dimension: 'D1',
  subjects: ['A', 'I'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A lock must be taken in one step that fails when somebody has it.',
  messages: {
    lock: '{{what}} is read by {{reads}} on line {{line}} and taken here by {{writes}}, which asks nothing: a second worker that read it in between takes it too. {{advice}}',
    row: '{{what}} is read on line {{line}} and its lock taken here, by identity alone: a second worker that read the row in between takes it too. {{advice}}',
    marker: '{{what}} is read by {{reads}} on line {{line}} and set here by {{writes}}, which asks nothing: a second worker that read it in between works too. {{advice}}',
    late: '{{what}} is looked up on line {{line}} and written only after this work: a second worker that looks in between does the work again. {{advice}}',
  },
  validation: ['V1'],
  judge(subject: Subject) {
    if (subject.kind === 'A') return judgeAcquisition(subject);
    return subject.kind === 'I' ? judgeImplementation(subject) : { status: 'not-applicable' };
  },
};
export default rule;

function judgeAcquisition({ operation, unit, key }: AcquisitionSubject): Outcome {
  // A wrapper's steps are judged in the wrapper.
  if (operation.evidence === 'body') return { status: 'not-applicable' };
  if (operation.evidence === 'model') return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: `${operation.api} asks and takes in one step` }] };
  return { status: 'unknown', missing: { fact: `how ${quotedApi(operation.api)} takes ${key}`, question: `Does ${quotedApi(operation.api)} ask and take in one step of the store?` } };
}

function judgeImplementation({ splitAcquire }: ImplementationSubject): Outcome {
  const split = splitAcquire();
  if (split === undefined) return { status: 'not-applicable' };
  return {
    status: 'violated', certainty: split.certain ? 'certain' : 'likely', at: split.at, messageId: split.kind,
    data: { what: quoted(split.what, 30), reads: quotedApi(split.reads), writes: quotedApi(split.writes), line: String(split.read.line), advice: split.advice },
    witness: split.witness, action: split.advice,
  };
}
