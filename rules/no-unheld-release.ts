import type { Outcome } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-unheld-release',
  skill: 'R5',
  dimension: 'D4',
  subjects: ['L'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A release must run only after a successful acquire.',
  messages: {
    frees: '{{api}} also runs when {{key}} was not acquired here (line {{line}}): it opens the lock of the worker that holds it. Release only after a successful acquire.',
    throws: '{{api}} also runs when {{key}} was not acquired here (line {{line}}) and throws then, in place of the real error. Release only after a successful acquire.',
  },
  validation: ['V2'],
  judge: (subject: Subject) => (subject.kind === 'L' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: ReleaseSubject): Outcome {
  const { operation, unit, key, claim, acquires, plainlyLock } = subject;
  if (claim) return { status: 'not-applicable' };
  const paths = subject.paths();
  if (paths.kind === 'elsewhere' && operation.ifNotHeld !== 'harmless') return unknown(subject);
  const evidence = (note: string): Outcome => ({ status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note }] });
  if (paths.kind === 'unknown') return unknown(subject);
  if (paths.kind === 'always-held') return evidence('every path to here holds the lock');
  if (operation.ifNotHeld === 'harmless') return evidence('a release by someone who does not own the lock does nothing');
  if (operation.ifNotHeld === 'unknown' || paths.kind !== 'unheld') return unknown(subject);
  const taken = acquires[0];
  return {
    status: 'violated',
    certainty: plainlyLock && operation.evidence !== 'name' ? 'certain' : 'likely',
    at: unit.placeOf(operation.node),
    messageId: operation.ifNotHeld === 'throws' ? 'throws' : 'frees',
    data: { api: quotedApi(operation.api), key, line: taken === undefined ? '?' : String(unit.placeOf(taken.node).line) },
    witness: paths.witness,
    action: 'Begin the `try` whose `finally` releases only after the acquire succeeded.',
  };
}

function unknown({ operation, key }: ReleaseSubject): Outcome {
  return { status: 'unknown', missing: { fact: `whether ${quotedApi(operation.api)} of ${key} runs without the lock`, question: 'Can this release run when the acquire failed, and what does it do then?' } };
}
