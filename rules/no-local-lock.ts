import type { Outcome } from '../src/engine/judge/outcome.js';
import type { LocalLockSubject, StateBehind } from '../src/engine/judge/local-subjects.js';
import { quoted } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { Subject } from '../src/engine/judge/subject.js';
import type { Place, WitnessStep } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'no-local-lock',
  skill: 'R1',
  dimension: 'D1',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'State that several processes share must not be guarded by a lock of one process.',
  messages: {
    process: '{{name}} keeps out callers of this process only, while line {{line}} shows {{what}}: a second process writes {{target}} at the same moment. Take a lock in the shared store, or compare in the write.',
    host: '{{name}} keeps out callers of this host only, while line {{line}} shows {{what}}: another host writes {{target}} at the same moment. Take a lock in the shared store, or compare in the write.',
    policy: '{{name}} keeps out callers of one process only, and several run this: a second one writes {{target}} at the same moment. Take a lock in the shared store, or compare in the write.',
  },
  validation: ['V1'],
  judge: (subject: Subject) => (subject.kind === 'local' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: LocalLockSubject): Outcome {
  if (subject.instances === 'one') return { status: 'not-applicable' };
  const { behind } = subject;
  if (behind.bare === undefined && behind.guarded !== undefined) return { status: 'verified', evidence: [{ place: behind.guarded, note: 'kept apart in the shared store as well' }] };
  const state = behind.bare ?? (behind.named && { place: behind.named, target: 'what it keeps' });
  if (state === undefined) return { status: 'not-applicable' };
  const many = behind.bare === undefined ? undefined : subject.many();
  if (many !== undefined) return violated(subject, behind, state, many);
  if (subject.instances === 'many') return violated(subject, behind, state, undefined);
  return {
    status: 'unknown',
    missing: { fact: `how many processes run the code that ${quoted(subject.lock.name, 30)} guards`, question: 'Does only one process run this code at a time, restarts and rolling deploys included?', configKey: 'policy.instances' },
  };
}

function violated({ lock, place }: LocalLockSubject, { entry }: StateBehind, state: { readonly place: Place; readonly target: string }, many: { readonly place: Place; readonly what: string } | undefined): Outcome {
  const target = state.target === 'what it keeps' || state.target === 'rows' ? `the ${state.target === 'rows' ? 'rows' : 'state'} behind it` : quoted(state.target, 24);
  const elsewhere: WitnessStep[] = many === undefined ? [] : [{ place: many.place, role: 'enter', note: many.what }];
  const taken: WitnessStep[] = entry.line === place.line ? [] : [{ place: entry, role: 'test', note: 'asks the memory of this process' }];
  return {
    status: 'violated',
    certainty: 'likely',
    at: place,
    messageId: many === undefined ? 'policy' : lock.scope,
    data: { name: quoted(lock.name, 32), target, ...(many !== undefined && { line: String(many.place.line), what: many.what }) },
    witness: [{ place, role: 'acquire', note: lock.scope === 'host' ? 'known on this host alone' : 'known in this process alone' }, ...taken, { place: state.place, role: 'write', note: 'another process writes it too' }, ...elsewhere],
    action: 'Take a lock in the store that the processes share, or let the write compare what it expects.',
  };
}
