import type { Certainty, Outcome, Violated } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ExtensionSubject, Subject } from '../src/engine/judge/subject.js';
import type { Place } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'no-ignored-extend-result',
  skill: 'F2',
  dimension: 'D2',
  subjects: ['E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A renewal that fails must stop the work or tell its holder.',
  messages: {
    dropped: '{{api}} answers whether {{key}} is still held, and nobody looks: after a loss this worker goes on beside the next one. Stop the work when the answer is no.',
    logged: 'A failed renewal of {{key}} is only reported: when the next worker has taken the lock, this one works on beside it. Abort a signal that the work asks, or stop it.',
    told: 'A failed renewal of {{key}} is only emitted as an event: unless a listener stops the work, it goes on beside the next worker. Abort a signal that the work asks.',
    toldOnly: 'A failed renewal of {{key}} is only emitted as an event, and the work goes on beside the next worker, although line {{line}} knows how to abort it. Abort it here too.',
    unhandled: 'When {{api}} fails, its rejection leaves a timer or a promise that nobody awaits: the holder of {{key}} never learns that the next worker has it. Catch it and stop the work.',
    escaped: 'When {{api}} (line {{line}}) rejects, the error leaves this timer, where nobody awaits it: the holder of {{key}} never learns that the next worker has it. Catch it and stop the work.',
    onward: 'When the renewal of {{key}} fails, only this loop ends: the work on line {{line}} goes on beside the next worker, which has the lock. Return or throw here.',
    replaced: '{{api}} gives a new handle and the old one is used on: the next renewal of {{key}} throws, the lock runs out and the next worker enters. Keep the handle it returns.',
    untold: '{{api}} renews {{key}} in the background, and nothing is handed over for {{handler}}: after a loss the work goes on beside the next worker. Pass a handler that stops it.',
  },
  validation: ['V4'],
  judge: (subject: Subject) => (subject.kind === 'E' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: ExtensionSubject): Outcome {
  const { operation, besides } = subject;
  if (operation.kind !== 'extend' || !subject.renewsLock) return { status: 'not-applicable' };
  // The EXPIRE that follows SETNX is its TTL.
  if (besides.some((o) => o.kind === 'acquire' && o.bare && o.node.pos < operation.node.pos)) return { status: 'not-applicable' };
  const { answer, stop } = subject.renewal();
  switch (answer?.kind) {
    case undefined: return { status: 'not-applicable' };
    case 'heeded': return { status: 'verified', evidence: [{ place: answer.place, note: 'a failed renewal is heeded here, or told to the caller' }] };
    case 'unknown': return unknown(subject);
    case 'dropped': return operation.onLoss === undefined ? violated(subject, 'dropped', answer.place, sureOf(subject)) : violated(subject, 'untold', answer.place, 'likely');
    case 'told': return stop === undefined ? violated(subject, 'told', answer.place, 'possible') : violated(subject, 'toldOnly', answer.place, 'likely', stop);
    case 'escaped': return violated(subject, 'escaped', answer.place, 'likely', subject.unit.placeOf(subject.operation.node), answer.place);
    case 'onward': return violated(subject, 'onward', answer.place, 'likely', answer.place);
    case 'logged':
    case 'unhandled':
    case 'replaced': return violated(subject, answer.kind, answer.place, answer.kind === 'replaced' ? 'certain' : 'likely');
  }
}

function sureOf({ operation }: ExtensionSubject): Certainty {
  // The write that took a row of a heartbeat is no acquire by itself.
  if (operation.kind === 'extend' && operation.beats === true) return 'likely';
  return operation.evidence === 'model' || operation.evidence === 'declared' ? 'certain' : 'likely';
}

function violated(subject: ExtensionSubject, messageId: string, shown: Place, certainty: Certainty, told?: Place, at = subject.unit.placeOf(subject.operation.node)): Violated {
  const { unit, operation, key } = subject;
  const call = unit.placeOf(operation.node);
  const handler = operation.kind === 'extend' ? operation.onLoss?.name ?? '' : '';
  return {
    status: 'violated',
    certainty,
    at,
    messageId,
    data: { api: quotedApi(operation.api), key, handler: `\`${handler}\``, line: String(told?.line ?? call.line) },
    witness: [
      { place: call, role: 'renew', note: `${quotedApi(operation.api)} fails: the lock has run out, or another worker has it` },
      ...(shown.line === call.line ? [] : [{ place: shown, role: 'test' as const, note: 'nothing here stops the work' }]),
      { place: call, role: 'lose', note: 'the work goes on without the lock' },
    ],
    action: 'Stop the work when a renewal fails: abort a signal it asks before each write, or check ownership again before committing.',
  };
}

function unknown({ operation, key }: ExtensionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `what happens when ${quotedApi(operation.api)} of ${key} fails`, question: 'Does the work stop when this renewal fails?' } };
}
