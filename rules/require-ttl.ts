import type { Outcome } from '../src/engine/judge/outcome.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ExtensionSubject, Subject } from '../src/engine/judge/subject.js';
import { namedUnit } from '../src/engine/judge/duration-words.js';
import type { Operation, Ttl } from '../src/engine/operations/operation.js';
import { enclosingFunction } from '../src/engine/syntax/expression.js';
import { showTerm } from '../src/engine/syntax/term.js';

const rule: RuleDefinition = {
  id: 'require-ttl',
  skill: 'R3',
  dimension: 'D2',
  subjects: ['A', 'E'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Every lock needs a finite TTL of the right unit, set by the command that takes it.',
  messages: {
    none: 'Lock {{key}} is taken without a TTL: when its holder crashes, every later worker finds it taken for ever. Set an expiry in this command.',
    second: 'The TTL of {{key}} comes in a second command on line {{line}}: a crash in between leaves the lock for ever and no later worker gets in. Use SET with NX and EX or PX.',
    unit: '`{{ttl}}` is in {{named}} and this slot counts {{unit}}: after a crash the next worker waits, or enters, at the wrong time. Convert it.',
    never: 'The TTL of {{key}} is {{ttl}}, which the store refuses or treats as expired: the next worker takes the lock at once. Give a positive whole number.',
  },
  validation: ['V3'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judgeAcquisition(subject) : subject.kind === 'E' ? judgeExtension(subject) : { status: 'not-applicable' }),
};
export default rule;

function judgeAcquisition(subject: AcquisitionSubject): Outcome {
  const { operation } = subject;
  if (operation.ttl.kind === 'open') return unknown(operation);
  if (operation.ttl.kind === 'given') return judgeValue(subject, operation.ttl.ttl);
  const later = operation.bare ? laterExpiry(subject) : undefined;
  if (later !== undefined) return inTwoCommands(subject, later);
  // A marker without release may be meant to stay for ever.
  if (subject.claim) return unknown(operation);
  return violated(subject, 'none', { key: showTerm(operation.key) }, 'Set the expiry in the command that takes the lock.');
}

function inTwoCommands(subject: AcquisitionSubject, later: Operation): Outcome {
  const outcome = violated(subject, 'second', { key: showTerm(subject.operation.key), line: String(subject.unit.placeOf(later.node).line) }, 'Take the lock and set its TTL in one command.');
  if (outcome.status !== 'violated') return outcome;
  return { ...outcome, witness: [...outcome.witness, { place: subject.unit.placeOf(later.node), role: 'write', note: 'the expiry is set here, by a second command' }] };
}

/** EXPIRE on the key in the function that ran SETNX; inside MULTI both are one command. */
function laterExpiry({ unit, operation, onSameKey }: AcquisitionSubject): Operation | undefined {
  const fn = enclosingFunction(unit, operation.node);
  return onSameKey.find((o) => o.kind === 'extend' && (o.api === 'EXPIRE' || o.api === 'PEXPIRE') && o.node.pos > operation.node.pos && enclosingFunction(unit, o.node) === fn);
}

function judgeExtension(subject: ExtensionSubject): Outcome {
  const { operation } = subject;
  if (operation.kind !== 'extend' || operation.ttl.kind !== 'given' || subject.claim && operation.api !== 'redis script') return { status: 'not-applicable' };
  return judgeValue(subject, operation.ttl.ttl);
}

function judgeValue(subject: AcquisitionSubject | ExtensionSubject, ttl: Ttl): Outcome {
  const { term } = ttl;
  const key = showTerm(subject.operation.key);
  if (term.kind === 'const') {
    if (typeof term.value !== 'number') return unknown(subject.operation);
    if (term.value > 0 && Number.isInteger(term.value)) return { status: 'verified', evidence: [{ place: subject.unit.placeOf(ttl.node ?? subject.operation.node), note: `TTL of ${String(term.value)} ${ttl.unit}` }] };
    return violated(subject, 'never', { key, ttl: showTerm(term) }, 'Give a positive whole number.');
  }
  const named = namedUnit(term);
  if (named !== undefined && named !== ttl.unit && !convertsUnits(term)) {
    return violated(subject, 'unit', { ttl: showTerm(term), named: inWords(named), unit: inWords(ttl.unit) }, `Hand over ${inWords(ttl.unit)}.`);
  }
  return unknown(subject.operation);
}

/** Arithmetic in between may be the conversion itself. */
function convertsUnits(term: Ttl['term']): boolean {
  return term.kind === 'unknown' || term.kind === 'call';
}

function inWords(unit: 's' | 'ms'): string {
  return unit === 's' ? 'seconds' : 'milliseconds';
}

function violated(subject: AcquisitionSubject | ExtensionSubject, messageId: string, data: Readonly<Record<string, string>>, action: string): Outcome {
  const place = subject.unit.placeOf(subject.operation.node);
  const role = subject.kind === 'A' ? 'acquire' : 'renew';
  return { status: 'violated', certainty: messageId === 'unit' ? 'likely' : 'certain', at: place, messageId, data, witness: [{ place, role, note: `${subject.operation.api} on ${data['key'] ?? showTerm(subject.operation.key)}` }], action };
}

function unknown(operation: Operation): Outcome {
  return { status: 'unknown', missing: { fact: `the TTL of ${showTerm(operation.key)}`, question: 'Which TTL reaches this lock, and can it be absent, zero or of another unit?' } };
}
