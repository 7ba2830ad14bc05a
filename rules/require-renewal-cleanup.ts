import type { Outcome, Violated } from '../src/engine/judge/outcome.js';
import { quotedApi } from '../src/engine/judge/quoted.js';
import type { TimerFacts } from '../src/engine/judge/renewal-facts.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ExtensionSubject, Subject } from '../src/engine/judge/subject.js';
import type { Place, WitnessStep } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'require-renewal-cleanup',
  skill: 'R4',
  dimension: 'D2',
  subjects: ['E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'A renewal timer must end with the lock, not before it and not after it.',
  messages: {
    never: 'Nothing ends this timer, which renews {{key}}: it goes on after the work is over and keeps the next worker out, or renews a lock that is no longer held. Clear it in `finally`.',
    flag: 'Stopping only sets a flag: the timer that renews {{key}} stays until it fires, one left behind for each run. Keep its handle, and clear it where the flag is set.',
    path: 'This timer, which renews {{key}}, is not cleared on every way out (line {{exit}}): after an error it keeps the lock from the next worker for good. Clear it in `finally`.',
    rearm: 'A renewal of {{key}} in flight sets this timer anew after it was cleared (line {{clear}}): it goes on after the release. Ask a stop flag before setting it again.',
    early: 'The renewal of {{key}} ends here, but running work is waited for after it (line {{wait}}): its lock runs out and the next worker starts it again. Stop renewing after the wait.',
  },
  validation: ['V4'],
  judge: (subject: Subject) => (subject.kind === 'E' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: ExtensionSubject): Outcome {
  if (!subject.renewsLock) return { status: 'not-applicable' };
  const { timer } = subject.renewal();
  if (timer === undefined) return { status: 'not-applicable' };
  const { early, leak, cleared, guarded, asked } = timer;
  if (early !== undefined) return violated(subject, timer, 'early', early.stop, { wait: String(early.wait.line) }, [{ place: early.wait, role: 'await', note: 'the work that the lock covers is still running' }]);
  if (cleared === undefined && asked === undefined) {
    if (timer.handle === 'handed-on' || !timer.ends) return unknown(subject);
    return violated(subject, timer, 'never', timer.place, {});
  }
  if (cleared === undefined) return timer.handle === 'handed-on' || timer.unref ? verified(asked, 'a flag ends it') : violated(subject, timer, 'flag', timer.place, {});
  if (timer.kind === 'rearmed' && guarded === undefined && timer.isAfterwards) {
    return violated(subject, timer, 'rearm', timer.place, { clear: String(cleared.line) }, [{ place: cleared, role: 'lose', note: 'clears a timer that has fired already' }]);
  }
  if (leak !== undefined && timer.handle === 'kept') {
    return violated(subject, timer, 'path', timer.place, { exit: String(leak.place.line) }, [{ place: leak.place, role: 'exit', note: leak.by === 'throw' ? 'throws here, and nothing clears the timer' : 'leaves, and the timer goes on' }]);
  }
  return verified(cleared, 'ends the timer');
}

function verified(place: Place | undefined, note: string): Outcome {
  return { status: 'verified', evidence: place === undefined ? [] : [{ place, note }] };
}

function violated(subject: ExtensionSubject, timer: TimerFacts, messageId: string, at: Place, data: Readonly<Record<string, string>>, then: readonly WitnessStep[] = []): Violated {
  const { unit, operation, key } = subject;
  const sure = messageId === 'never' && operation.evidence !== 'name' && subject.onSameKey.some((o) => o.kind === 'acquire');
  return {
    status: 'violated',
    certainty: sure ? 'certain' : 'likely',
    at,
    messageId,
    data: { key, ...data },
    witness: [
      { place: timer.place, role: 'call', note: timer.kind === 'interval' ? 'the timer is set' : 'the timer is set, and set anew by its own callback' },
      { place: unit.placeOf(operation.node), role: 'renew', note: `${quotedApi(operation.api)} renews ${key} each time` },
      ...then,
    ],
    action: messageId === 'early' ? 'End the renewal when the work has ended.' : 'Keep the handle and clear it in `finally`, with a flag that an in-flight renewal asks before it sets the timer anew.',
  };
}

function unknown({ key }: ExtensionSubject): Outcome {
  return { status: 'unknown', missing: { fact: `who ends the timer that renews ${key}`, question: 'Which code clears this timer, and does it run on every way out of the work?' } };
}
