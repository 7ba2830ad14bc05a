import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import { suggestStop } from '../src/engine/judge/suggest-stop.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-ignored-acquire-result',
  skill: 'F1',
  dimension: 'D4',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'The answer of an acquire must decide whether the work runs.',
  messages: {
    dropped: '{{api}} on {{key}} tells by its answer who has the lock, and nobody looks: a second worker that is refused goes on all the same. Stop unless it was acquired.',
    misread: 'This does not tell a refused {{api}} on {{key}} from a granted one: the second worker goes on as if it held the lock. Test the value that says so ({{form}}).',
    repeated: 'A worker that did not get {{key}} runs {{effect}} here all the same, while the holder on line {{line}} may still run it. Wait, give up, or compete for the lock again.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject): Outcome {
  const { operation, unit, key, claim, plainlyLock } = subject;
  const paths = subject.paths();
  if (paths === undefined) return unknown(subject);
  const at = unit.placeOf(operation.node);
  switch (paths.answer) {
    case 'none':
      if (operation.result.throwsWhenLost && operation.result.label !== 'unknown') return { status: 'verified', evidence: [{ place: at, note: 'a refused acquire throws' }] };
      return unknown(subject);
    case 'heeded': return { status: 'verified', evidence: [{ place: at, note: 'what follows depends on the answer' }] };
    case 'given-away': return unknown(subject);
    case 'dropped':
    case 'misread':
    case 'repeated': {
      const { loser } = paths;
      // A marker that is only set, whoever was first, protects nothing.
      if (loser === undefined || claim) return unknown(subject);
      // The library runs the work for the holder alone; whether a round that is left out matters is the caller's to say.
      if (operation.scope === 'callback' && paths.answer === 'dropped' && loser.effect === '') return unknown(subject);
      const line = String(at.line);
      return {
        status: 'violated',
        certainty: paths.answer === 'repeated' || !plainlyLock ? 'likely' : 'certain',
        at: loser.at,
        messageId: paths.answer,
        data: { api: quotedApi(operation.api), key, form: operation.result.label, line, effect: quoted(loser.effect) },
        witness: loser.witness,
        action: 'Run the work only when the acquire succeeded.',
        suggestions: paths.answer === 'dropped' ? suggestStop(subject) : [],
      };
    }
  }
}

function unknown({ operation, key }: AcquisitionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `what the answer of ${quotedApi(operation.api)} on ${key} decides`, question: 'Does the work stop when this acquire is refused?' } };
}
