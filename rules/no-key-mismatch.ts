import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ExtensionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';
import type { TransitionSubject } from '../src/engine/judge/transition-subject.js';

const rule: RuleDefinition = {
  id: 'no-key-mismatch',
  skill: 'R1',
  dimension: 'D1',
  subjects: ['A', 'L', 'E', 'T'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'All who compete for a lock, and all calls about one, must use the same key.',
  messages: {
    time: 'The key {{key}} changes with the clock ({{part}}): a run that is still busy and the next one hold two locks and work side by side. Build the key from what is locked alone.',
    random: 'Each call makes a key of its own ({{part}}), so that {{key}} keeps nobody out: every second worker gets in. Build the key from what is locked alone.',
    process: 'The key {{key}} holds the process ({{part}}): every other process takes a lock of its own and works beside this one. Build the key from what is locked alone.',
    owner: 'The key {{key}} holds its owner ({{part}}): every second worker takes a lock of its own and works beside this one. Put the owner into the value.',
    release: '{{api}} frees {{key}}, but {{taken}} was acquired on line {{line}}: that lock stays until its TTL, and another worker\'s may be freed. Use one key for both.',
    renewal: '{{api}} renews {{key}}, but {{taken}} was acquired on line {{line}}: that one runs out, and the next worker starts beside this. Use one key for both.',
  },
  validation: ['V1', 'V2'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judgeAcquire(subject) : subject.kind === 'T' ? judgeWrite(subject) : judgeCall(subject)),
};
export default rule;

function judgeAcquire(subject: AcquisitionSubject): Outcome {
  const { unit, operation, key, claim, plainlyLock } = subject;
  if (claim) return { status: 'not-applicable' };
  const parts = subject.keyParts();
  const place = unit.placeOf(operation.node);
  switch (parts.kind) {
    case 'steady': return { status: 'verified', evidence: [{ place, note: 'nothing in the key is made anew by each worker' }] };
    case 'named': return unknown(key, 'is made here, and names what the work is about');
    case 'unknown': return unknown(key, 'is the same for all who compete for it');
    default: return {
      status: 'violated',
      certainty: parts.kind !== 'time' && parts.kind !== 'owner' && plainlyLock ? 'certain' : 'likely',
      at: parts.at,
      messageId: parts.kind,
      data: { key: quoted(key, 40), part: quoted(parts.part, 30) },
      witness: [
        ...(parts.at.line === place.line ? [] : [{ place: parts.at, role: 'enter' as const, note: 'this part differs from worker to worker' }]),
        { place, role: 'acquire', note: `${quotedApi(operation.api)} takes a key that nobody else asks for` },
      ],
      action: 'Build the key from the identity of what is locked, and nothing else.',
    };
  }
}

function judgeCall(subject: ReleaseSubject | ExtensionSubject): Outcome {
  const { unit, operation, key, stray, besides, onSameKey, claim } = subject;
  const place = unit.placeOf(operation.node);
  if (stray !== undefined) {
    const taken = unit.placeOf(stray.acquire.node);
    const messageId = subject.kind === 'L' ? 'release' : 'renewal';
    return {
      status: 'violated',
      certainty: stray.sure ? 'certain' : 'likely',
      at: place,
      messageId,
      data: { api: quotedApi(operation.api), key: quoted(key, 30), taken: quoted(subject.takenKey, 30), line: String(taken.line) },
      witness: [{ place: taken, role: 'acquire', note: `takes ${subject.takenKey}` }, { place, role: subject.kind === 'L' ? 'release' : 'renew', note: `speaks of ${key}` }],
      action: 'Build the key once, and hand it to both calls.',
    };
  }
  if (claim || operation.kind === 'overwrite') return { status: 'not-applicable' };
  if (operation.link !== 'key') return { status: 'verified', evidence: [{ place, note: 'speaks of the lock by what the acquire gave' }] };
  const acquire = besides.find((o) => o.kind === 'acquire') ?? onSameKey.find((o) => o.kind === 'acquire');
  if (acquire === undefined) return unknown(key, `is the one that was acquired before ${quotedApi(operation.api)}`);
  return { status: 'verified', evidence: [{ place: unit.placeOf(acquire.node), note: 'the same key is taken here' }, { place, note: 'and named here' }] };
}

/** What a lock covers is judged by require-lock; a lock of another row beside it proves nothing by itself. */
function judgeWrite(subject: TransitionSubject): Outcome {
  const { cover, held } = subject.lock();
  if (cover === 'covered' && held !== undefined) return { status: 'verified', evidence: [{ place: held.place, note: `${quoted(held.key)} names the row that is written` }] };
  if (cover === 'none' || held === undefined) return { status: 'not-applicable' };
  return unknown(quoted(held.key), 'is the lock of the row that is written here');
}

function unknown(key: string, fact: string): Outcome {
  return { status: 'unknown', missing: { fact: `whether ${key} ${fact}`, question: `Do all workers that must not meet ask for ${key}?` } };
}
