import { isBoundedWhole } from '../src/engine/judge/bounded-whole.js';
import { zeroBranch } from '../src/engine/judge/zero-branch.js';
import { fractionIn } from '../src/engine/judge/fraction.js';
import type { Outcome, Violated } from '../src/engine/judge/outcome.js';
import type { Place, WitnessStep } from '../src/engine/place.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import { suggestTtl } from '../src/engine/judge/suggest-ttl.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, ExtensionSubject, Subject } from '../src/engine/judge/subject.js';

type LeaseSubject = AcquisitionSubject | ExtensionSubject;
type LeaseTtl = Extract<AcquisitionSubject['operation']['ttl'], { kind: 'given' }>['ttl'];

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
    unit: '{{ttl}} is in {{named}} and this slot counts {{unit}}: after a crash the next worker waits, or enters, at the wrong time. Convert it.',
    fraction: '{{ttl}} can give a fraction and this slot takes whole {{unit}}: then the store refuses the command and no worker ever gets the lock. Round it.',
    fractionKept: '{{ttl}} can give a fraction and this slot takes whole {{unit}}: then the store refuses the renewal, the lock runs out and the next worker enters beside this one. Round it.',
    never: 'The TTL of {{key}} is {{ttl}}, which the store refuses or treats as expired: the next worker takes the lock at once. Give a positive whole number.',
    zero: '{{ttl}} can be {{least}}: then {{key}} has no TTL, or one the store refuses, and after a crash every later worker finds it taken. Let each branch give a positive TTL.',
  },
  validation: ['V3'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judgeAcquisition(subject) : subject.kind === 'E' ? judgeExtension(subject) : { status: 'not-applicable' }),
};
export default rule;

function judgeAcquisition(subject: AcquisitionSubject): Outcome {
  const { operation, key } = subject;
  if (operation.ttl.kind === 'lapses-otherwise') return { status: 'not-applicable' };
  if (operation.ttl.kind === 'open') return unknown(key);
  if (operation.ttl.kind === 'given') return judgeValue(subject, operation.ttl.ttl);
  const later = operation.bare ? laterExpiry(subject) : undefined;
  if (later !== undefined) {
    return violated(subject, 'second', { key, line: String(later.line) }, 'Take the lock and set its TTL in one command.', [{ place: later, role: 'write', note: 'the expiry is set here, by a second command' }]);
  }
  // A marker that is never given back may be meant to stay for ever.
  if (subject.claim) return unknown(key);
  return { ...violated(subject, 'none', { key }, 'Set the expiry in the command that takes the lock.'), suggestions: suggestTtl(subject) };
}

/** EXPIRE on the key in the function that ran SETNX. */
function laterExpiry({ unit, operation, besides }: AcquisitionSubject): Place | undefined {
  const found = besides.find((o) => o.kind === 'extend' && (o.api === 'EXPIRE' || o.api === 'PEXPIRE') && o.node.pos > operation.node.pos);
  return found && unit.placeOf(found.node);
}

function judgeExtension(subject: ExtensionSubject): Outcome {
  const { operation } = subject;
  if (operation.kind !== 'extend' || operation.ttl.kind !== 'given' || (subject.claim && operation.api !== 'redis script')) return { status: 'not-applicable' };
  return judgeValue(subject, operation.ttl.ttl);
}

function judgeValue(subject: LeaseSubject, ttl: LeaseTtl): Outcome {
  const { term, named, node, unit } = ttl;
  const { key } = subject;
  if (term.kind === 'const' && typeof term.value === 'number' && !(term.value > 0 && Number.isInteger(term.value))) {
    return violated(subject, 'never', { key, ttl: quoted(String(term.value)) }, 'Give a positive whole number.');
  }
  if (named !== undefined && named !== unit) {
    return violated(subject, 'unit', { ttl: shownTtl(subject, node), named: inWords(named), unit: inWords(unit) }, `Hand over ${inWords(unit)}.`);
  }
  const place = subject.unit.placeOf(node ?? subject.operation.node);
  if (node !== undefined && isBoundedWhole(subject.unit, node)) return { status: 'verified', evidence: [{ place, note: 'a rounded TTL with a least value' }] };
  if (term.kind !== 'const' || typeof term.value !== 'number') return fractional(subject, ttl) ?? perhapsZero(subject, ttl) ?? unknown(key);
  return { status: 'verified', evidence: [{ place, note: `TTL of ${String(term.value)} ${inWords(unit)}` }] };
}

/** Arithmetic in sight that may leave a rest, handed to a store or library that takes whole numbers only. */
function fractional(subject: LeaseSubject, { node, unit, whole }: LeaseTtl): Outcome | undefined {
  const part = node === undefined || whole !== true ? undefined : fractionIn(subject.unit, node);
  if (part === undefined) return undefined;
  const read: WitnessStep = { place: subject.unit.placeOf(part), role: 'read', note: 'this may leave a fraction' };
  return violated(subject, subject.kind === 'A' ? 'fraction' : 'fractionKept', { ttl: shownTtl(subject, part), unit: inWords(unit) }, 'Round it up with `Math.ceil`.', [read]);
}

/** A branch in sight gives no time at all. */
function perhapsZero(subject: LeaseSubject, { node }: LeaseTtl): Outcome | undefined {
  const branch = node === undefined ? undefined : zeroBranch(subject.unit, node);
  if (branch === undefined) return undefined;
  const read: WitnessStep = { place: subject.unit.placeOf(branch), role: 'read', note: 'this branch gives no time' };
  return violated(subject, 'zero', { ttl: shownTtl(subject, node), least: quoted(branch.getText(subject.unit.file)), key: subject.key }, 'Let each branch give a positive TTL.', [read]);
}

function shownTtl({ unit }: LeaseSubject, node: LeaseTtl['node']): string {
  return node === undefined ? 'The value' : quoted(node.getText(unit.file), 36);
}

function inWords(unit: NonNullable<LeaseTtl['named']>): string {
  return UNIT_WORDS[unit];
}

const UNIT_WORDS = { ms: 'milliseconds', s: 'seconds', min: 'minutes', h: 'hours', d: 'days' } as const;

function violated(subject: LeaseSubject, messageId: string, data: Readonly<Record<string, string>>, action: string, then: readonly WitnessStep[] = []): Violated {
  const at = subject.unit.placeOf(subject.operation.node);
  const role = subject.kind === 'A' ? 'acquire' : 'renew';
  // A unit is promised by a name only, and a bare `key` parameter may be a lock by name only.
  const certainty = messageId === 'unit' || messageId.startsWith('fraction') || messageId === 'zero' || !subject.keyIsTelling ? 'likely' : 'certain';
  return { status: 'violated', certainty, at, messageId, data, witness: [{ place: at, role, note: `${quotedApi(subject.operation.api)} on ${subject.key}` }, ...then], action };
}

function unknown(key: string): Outcome {
  return { status: 'unknown', missing: { fact: `the TTL of ${key}`, question: 'Which TTL reaches this lock, and can it be absent, zero or of another unit?' } };
}
