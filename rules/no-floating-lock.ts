import type { Outcome } from '../src/engine/judge/outcome.js';
import type { Place } from '../src/engine/place.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { FloatingWork } from '../src/engine/judge/section-work.js';
import type { AcquisitionSubject, ExtensionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'no-floating-lock',
  skill: 'R1',
  dimension: 'D4',
  subjects: ['A', 'L', 'E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A lock call, and the work under the lock, must be awaited.',
  messages: {
    acquire: '{{api}} on {{key}} is not awaited: the work begins before the store has said who holds the lock, beside the worker that does. Await it and test the answer.',
    tested: 'The promise of {{api}} is tested, not its answer, and a promise is always true: a second worker goes on as if it held {{key}}. Await it first.',
    section: 'The work under {{key}} is not awaited: the caller goes on before it is done, and a refused lock or a failure goes unseen. Await {{api}} or handle its rejection.',
    release: '{{api}} is not awaited: the next acquire of {{key}} may still find it taken, and a failed release ends the process as an unhandled rejection. Await it.',
    extend: '{{api}} is not awaited: whether {{key}} is still held stays unseen while the next worker takes it, and a failure ends the process. Await it.',
    returned: '{{work}} is returned without `await`: `finally` frees {{key}} while it still runs, and the next worker starts beside it. Write `return await`.',
    each: 'Nobody waits for these async callbacks: {{key}} is freed while they still run, and the next worker starts beside them. Use `for..of` or await `Promise.all`.',
    dropped: '{{work}} is not awaited: {{key}} is freed while it still runs, and the next worker starts beside it. Await it before the release.',
    raced: 'When the timer wins, {{work}} still runs while {{key}} is freed, and the next worker starts beside it. Stop the work and await its end before the release.',
    late: '{{work}} is awaited only after {{key}} was freed: the next worker starts beside it. Await it before the release.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'T' ? { status: 'not-applicable' } : subject.kind === 'A' ? judgeAcquire(subject) : judgeCall(subject)),
};
export default rule;

function judgeAcquire(subject: AcquisitionSubject): Outcome {
  const { operation, unit, claim } = subject;
  if (claim) return { status: 'not-applicable' };
  const promise = subject.promise();
  const isSection = operation.scope === 'callback';
  const at = unit.placeOf(operation.node);
  if (promise.kind === 'tested') return call(subject, 'tested', at, unit.placeOf(promise.at));
  if ((promise.kind === 'dropped' || promise.kind === 'handled') && !promise.chained && !isSection) return call(subject, 'acquire', at);
  if (promise.kind === 'dropped' && !promise.chained && !promise.voided) return call(subject, 'section', at);
  const work = subject.section();
  if (work.kind !== 'none' && work.kind !== 'unclear') return floating(subject, work);
  if (work.kind === 'unclear') return { status: 'unknown', missing: { fact: `whether the call on line ${String(unit.placeOf(work.at).line)} is over when ${subject.key} is freed`, question: 'Does this call give a promise that nobody awaits?' } };
  if (promise.kind === 'kept' || promise.kind === 'raced' || promise.kind === 'unknown' || promise.kind === 'dropped') return unknown(subject);
  return { status: 'verified', evidence: [{ place: at, note: promise.kind === 'no-promise' ? 'the acquire answers at once, and nothing under it floats' : 'the acquire is awaited, and so is what runs under it' }] };
}

function judgeCall(subject: ReleaseSubject | ExtensionSubject): Outcome {
  const { operation, unit, claim } = subject;
  if (claim || operation.kind === 'overwrite') return { status: 'not-applicable' };
  const promise = subject.promise();
  const place = unit.placeOf(operation.node);
  const verified = (note: string): Outcome => ({ status: 'verified', evidence: [{ place, note }] });
  switch (promise.kind) {
    case 'tested': return call(subject, 'tested', place, unit.placeOf(promise.at));
    case 'dropped': return promise.chained ? unknown(subject) : call(subject, operation.kind === 'release' ? 'release' : 'extend', place);
    case 'awaited': return verified('awaited');
    case 'returned': return verified('handed to the caller, who waits for it');
    case 'handled': return verified('nobody waits, and a failure is handled');
    case 'safe': return verified('nobody waits, and no way through it fails');
    case 'no-promise': return verified('it acts at once');
    default: return unknown(subject);
  }
}

function call(subject: AcquisitionSubject | ReleaseSubject | ExtensionSubject, messageId: 'acquire' | 'tested' | 'section' | 'release' | 'extend', at: Place, test?: Place): Outcome {
  const { operation, key, plainlyLock } = subject;
  const promise = subject.promise();
  const isSure = operation.evidence !== 'name' && plainlyLock && messageId !== 'section' && !(promise.kind === 'dropped' && promise.voided);
  // Where nothing can be awaited, `void` says that nobody waits on purpose.
  const isMeant = promise.kind === 'dropped' && promise.voided && !subject.inAsync;
  return {
    status: 'violated',
    certainty: isMeant ? 'possible' : isSure ? 'certain' : 'likely',
    at,
    messageId,
    data: { api: quotedApi(operation.api), key: quoted(key, 40) },
    witness: [
      { place: at, role: subject.kind === 'A' ? 'acquire' : subject.kind === 'L' ? 'release' : 'renew', note: 'nobody waits for it' },
      ...(test === undefined ? [] : [{ place: test, role: 'test' as const, note: 'the promise is taken for its answer' }]),
    ],
    action: 'Await the call, and handle its failure.',
  };
}

function floating(subject: AcquisitionSubject, { kind, at, work, sure, isRead }: FloatingWork): Outcome {
  const { operation, unit, key, plainlyLock } = subject;
  const place = unit.placeOf(at);
  return {
    status: 'violated',
    certainty: isRead === true ? 'possible' : sure && plainlyLock && operation.evidence !== 'name' ? 'certain' : 'likely',
    at: place,
    messageId: kind,
    data: { key: quoted(key, 40), work: quoted(work.getText(unit.file), 40) },
    witness: [
      { place: unit.placeOf(operation.node), role: 'acquire', note: `${quotedApi(operation.api)} takes the lock` },
      { place, role: 'call', note: 'goes on after the lock is free' },
    ],
    action: kind === 'raced' ? 'Tell the work to stop, and await its end before the release.' : 'Await the work before the lock is freed.',
  };
}

function unknown({ operation, key }: AcquisitionSubject | ReleaseSubject | ExtensionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `whether ${quotedApi(operation.api)} of ${key} is awaited`, question: 'Does anybody wait for this call before the work goes on?' } };
}
