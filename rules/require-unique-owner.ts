import type { Outcome, Violated } from '../src/engine/judge/outcome.js';
import type { OwnerIdentity } from '../src/engine/judge/owner-of-acquire.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';

type Told = OwnerIdentity & { readonly at: Violated['at']; readonly text: string };

const rule: RuleDefinition = {
  id: 'require-unique-owner',
  skill: 'R2',
  dimension: 'D1',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Each acquisition needs an owner of its own.',
  messages: {
    constant: 'Every holder of {{key}} is called {{owner}}: a worker whose lock has run out frees or renews the lock of the next one as its own. Use a random owner for each acquire.',
    default: 'Callers that name no owner all hold {{key}} as {{owner}}: one whose lock has run out frees the lock of the next. Make a random owner where none is given.',
    entity: 'The owner {{owner}} of {{key}} is the same for all who compete for it: one whose lock has run out frees the lock of the next. Use a random owner for each acquire.',
    clock: 'Two workers that ask for {{key}} at the same moment get one owner ({{owner}}), and each may free the lock of the other. Use a random owner for each acquire.',
    process: 'A process id ({{owner}}) repeats on other hosts and for all work of a process: one holder of {{key}} frees the lock of another as its own. Use a random owner for each acquire.',
    host: 'All processes of a host, and all work of each, own {{key}} as {{owner}}: one frees or takes over the lock of another as its own. Use a random owner for each acquire.',
    shared: '{{owner}} is made once and owns {{key}} for all work of this process: a task whose lock has run out frees the lock of the next task here. Make it for each acquire.',
    reenters: '{{key}} lets its owner in again, and {{owner}} is one for the whole process: two calls at a time both get in. Make an owner for each call, or refuse whoever holds it.',
  },
  validation: ['V1', 'V2'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: AcquisitionSubject): Outcome {
  if (subject.claim) return { status: 'not-applicable' };
  const { identity, isElection, isRow } = subject.owner();
  switch (identity.kind) {
    case 'none': return { status: 'not-applicable' };
    case 'fresh': return { status: 'verified', evidence: [{ place: subject.unit.placeOf(subject.operation.node), note: 'the owner is made for this acquisition' }] };
    case 'given': return unknown(subject, `whether the owner of ${subject.key} that is handed over is made for each acquisition`);
    case 'unknown': return unknown(subject, `where the owner of ${subject.key} comes from`);
    case 'shared': {
      // A row says who works on it, a leader who leads: which of their tasks it is may not matter.
      if (!identity.keyVaries || isRow || isElection) return unknown(subject, `whether two acquisitions of ${subject.key} by one process overlap`);
      return violated(subject, identity, subject.operation.reenters === true ? 'reenters' : 'shared');
    }
    default: return violated(subject, identity, identity.kind);
  }
}

function violated(subject: AcquisitionSubject, { at, text, kind }: Told, messageId: string): Outcome {
  const { unit, operation, key, plainlyLock } = subject;
  const { compared, isTold, sharedAs } = subject.owner();
  if (compared === 'nobody') return unknown(subject, `whether anything compares the owner of ${key}`);
  const place = unit.placeOf(operation.node);
  return {
    status: 'violated',
    certainty: kind === 'constant' && plainlyLock && operation.evidence !== 'name' ? 'certain' : 'likely',
    at: messageId === 'reenters' ? place : at,
    messageId,
    data: { key: quoted(key, 40), owner: quoted(text, 30) },
    witness: [
      ...(at.line === place.line ? [] : [{ place: at, role: 'enter' as const, note: 'the owner comes from here' }]),
      { place, role: 'acquire', note: `${quotedApi(operation.api)} takes the lock for ${quoted(text, 30)}` },
    ],
    action: 'Make a random owner for each acquisition, and hand it to the release.',
    ...(messageId !== 'reenters' && at.line !== place.line && { root: sharedAs }),
    // What frees the lock of anybody is the root. A value that was made once is told once.
    ...(compared === 'blind' ? { supersededBy: 'require-atomic-release' } : isTold && at.line !== place.line ? { supersededBy: rule.id } : {}),
  };
}

function unknown({ key }: AcquisitionSubject, fact: string): Outcome {
  return { status: 'unknown', missing: { fact, question: `Does the owner of ${key} tell this acquisition from all others, of this process too?` } };
}
