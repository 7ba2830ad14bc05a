import type { Outcome } from '../src/engine/judge/outcome.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import { suggestOwner } from '../src/engine/judge/suggest-owner.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { ExtensionSubject, ReleaseSubject, Subject } from '../src/engine/judge/subject.js';

const rule: RuleDefinition = {
  id: 'require-release-owner',
  skill: 'R2',
  dimension: 'D1',
  subjects: ['L', 'E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Release and renewal must name the owner that the acquire used.',
  messages: {
    missing: '{{api}} can name the owner of {{key}} and does not: after expiry it frees or renews the lock of the next worker. Hand over the owner that the acquire used.',
    constant: '{{api}} names every worker the same ({{owner}}): after expiry it frees or renews the lock of the next worker as its own. Use a random owner for each acquire.',
    other: '{{api}} names {{owner}}, but {{key}} was acquired for {{first}} on line {{line}}: its own lock stays, and another worker\'s may be freed. Hand over the same owner.',
  },
  validation: ['V2'],
  judge: (subject: Subject) => (subject.kind === 'L' || subject.kind === 'E' ? judge(subject) : { status: 'not-applicable' }),
};
export default rule;

function judge(subject: ReleaseSubject | ExtensionSubject): Outcome {
  const { operation, unit, key, onSameKey } = subject;
  if (operation.kind === 'overwrite' || operation.ownerSlot === 'none' || subject.claim) return { status: 'not-applicable' };
  const at = unit.placeOf(operation.node);
  const acquire = onSameKey.find((o) => o.kind === 'acquire');
  const { owner } = operation;
  const violated = (messageId: 'missing' | 'constant' | 'other', data: Readonly<Record<string, string>>): Outcome => ({
    status: 'violated',
    certainty: operation.evidence === 'name' ? 'likely' : 'certain',
    at,
    messageId,
    data: { api: quotedApi(operation.api), key, ...data },
    witness: [
      ...(acquire === undefined ? [] : [{ place: unit.placeOf(acquire.node), role: 'acquire' as const, note: `${quotedApi(acquire.api)} takes ${key}` }]),
      { place: at, role: subject.kind === 'L' ? ('release' as const) : ('renew' as const), note: 'does not name that owner' },
    ],
    action: 'Hand over the owner that the acquire used.',
    suggestions: suggestOwner(subject),
  });
  if (operation.ownerSlot === 'missing' || (owner?.kind === 'const' && (owner.value === undefined || owner.value === null || owner.value === ''))) return violated('missing', {});
  if (owner?.kind === 'const') return violated('constant', { owner: quoted(typeof owner.value === 'string' ? `'${owner.value}'` : String(owner.value)) });
  const relation = subject.ownerRelation;
  if (relation === 'different') return violated('other', { key: quoted(key, 30), owner: subject.ownerText, first: subject.acquiredFor, line: acquire === undefined ? '?' : String(unit.placeOf(acquire.node).line) });
  if (relation === 'equal') return { status: 'verified', evidence: [{ place: at, note: 'names the owner of the acquire' }] };
  return { status: 'unknown', missing: { fact: `whether ${quotedApi(operation.api)} names the owner that acquired ${key}`, question: 'Is this the owner that the acquire used?' } };
}
