import type { JobLeaseSubject } from '../src/engine/judge/job-subjects.js';
import type { LeaseSection, LeaseStep, LeaseTime } from '../src/engine/judge/lease-time.js';
import type { Certainty, Outcome, Violated } from '../src/engine/judge/outcome.js';
import { quoted, quotedApi } from '../src/engine/judge/quoted.js';
import type { RuleDefinition } from '../src/engine/judge/rule.js';
import type { AcquisitionSubject, Subject } from '../src/engine/judge/subject.js';
import type { WitnessStep } from '../src/engine/place.js';

const rule: RuleDefinition = {
  id: 'require-renewal',
  skill: 'R4',
  dimension: 'D2',
  subjects: ['A'],
  family: 'lock-use',
  profile: 'recommended',
  summary: 'Work that can outlive the TTL of its lock must renew it.',
  messages: {
    step: '{{step}} can take {{time}}, but {{key}} (line {{line}}) lasts {{ttl}} and nothing renews it: the next worker enters while this one works. Renew it, or cut the work short.',
    sum: 'The work under {{key}} (line {{line}}) can take {{time}}, most of it here, but the lock lasts {{ttl}} and nothing renews it: the next worker enters meanwhile. Renew it.',
    loop: 'Nothing bounds {{step}}, but {{key}} (line {{line}}) lasts {{ttl}} and nothing renews it: the next worker enters while this one works. Renew it meanwhile.',
    open: '{{step}} has no time limit in sight, but {{key}} (line {{line}}) lasts {{ttl}} and nothing renews it: the next worker may enter meanwhile. Set a timeout below, or renew.',
    job: '{{step}} can take {{time}}, but the queue leaves a job to its worker for {{ttl}} ({{option}}, line {{line}}) and nothing renews that: a second worker starts the same job meanwhile. Renew, or raise it.',
    blocked: '{{step}} stops the whole process for up to {{time}}, the renewal too, and the job is leased for {{ttl}} ({{option}}, line {{line}}): a second worker starts it meanwhile. Run it without blocking.',
    late: 'The job is leased for {{ttl}} ({{option}}) and renewed only every {{time}}: it lapses in between, and a second worker starts the same job. Renew after a half of the lease at most.',
  },
  validation: ['V3', 'V4'],
  judge: (subject: Subject) => (subject.kind === 'A' ? judge(subject) : subject.kind === 'job' ? judgeJob(subject) : { status: 'not-applicable' }),
};
export default rule;

const MINUTE = 60_000;

function judge(subject: AcquisitionSubject): Outcome {
  const { operation, claim, unit, key, onSameKey } = subject;
  if (claim || operation.ttl.kind === 'none' || operation.scope === 'transaction') return { status: 'not-applicable' };
  const time = subject.leaseTime();
  const { renewal, ttlMs, section, cap } = time;
  // It ends with its session, or with a TTL that its library keeps to itself.
  if (operation.ttl.kind === 'lapses-otherwise' && ttlMs === undefined && renewal?.kind !== 'library') return { status: 'not-applicable' };
  if (renewal?.kind === 'library') return { status: 'verified', evidence: [{ place: renewal.place, note: 'renews the lock while its section runs' }] };
  if (renewal?.kind === 'seen') return { status: 'verified', evidence: [{ place: renewal.place, note: 'renews the lock again and again' }] };
  if (renewal !== undefined) return unknown(subject, `whether ${key} is renewed`, 'Does this renew the lock for as long as the work runs?');
  if (ttlMs === undefined) return unknown(subject, `the TTL of ${key}`, 'How long does this lock last, and how long can the work under it take?');
  if (section === undefined) return unknown(subject, `what runs under ${key}`, 'How long can the work under this lock take?');
  const known = knownFault(subject, time, ttlMs, section);
  if (known !== undefined) return known;
  if (cap !== undefined && cap.ms <= ttlMs) return { status: 'verified', evidence: [{ place: cap.place, note: `the function ends after ${inWords(cap.ms)} at the latest` }] };
  // What is taken, never given back and left to run out keeps others off for a while; whose work takes longer than that meets nobody he shut out.
  const isThrottle = operation.scope === 'manual' && !onSameKey.some((o) => o.kind !== 'acquire' && o.kind !== 'inspect') && subject.paths()?.handedOver === false;
  if (isThrottle && (section.open.length > 0 || section.loops.length > 0)) return unknown(subject, `whether anybody frees ${key} before it runs out`, 'Is this lock given back, or does it only keep others off for a while?');
  const fault = loopFault(subject, ttlMs, section) ?? openFault(subject, ttlMs, section);
  if (fault !== undefined) return fault;
  const isBounded = section.open.length === 0 && section.loops.length === 0 && !section.watched && subject.paths()?.handedOver === false;
  if (isBounded || (operation.scope === 'callback' && section.open.length === 0 && section.loops.length === 0 && !section.watched)) {
    return { status: 'verified', evidence: [{ place: unit.placeOf(operation.node), note: `the work under it takes ${inWords(section.ms)} at most, its TTL is ${inWords(ttlMs)}` }] };
  }
  return unknown(subject, `how long the work under ${key} takes`, `Can the work under this lock take longer than ${inWords(ttlMs)}?`);
}

/** Constants of the code say that the work can outlive the lock. */
function knownFault(subject: AcquisitionSubject, { cap }: LeaseTime, ttlMs: number, section: LeaseSection): Violated | undefined {
  const total = cap === undefined ? section.ms : Math.min(section.ms, cap.ms);
  const worst = [...section.steps].sort((a, b) => b.ms - a.ms)[0];
  if (total <= ttlMs || worst === undefined) return undefined;
  const alone = worst.ms > ttlMs;
  const sure = subject.plainlyLock && subject.operation.evidence !== 'name' && section.steps.every((s) => s.kind !== 'default');
  const inner: WitnessStep[] = worst.inner === undefined ? [] : [{ place: worst.inner, role: 'await', note: 'the time is spent here' }];
  return violated(subject, worst, alone ? 'step' : 'sum', sure ? 'certain' : 'likely', ttlMs, alone ? worst.ms : total, `can take ${inWords(worst.ms)}`, inner);
}

/** Rounds that nobody has counted: until the work itself says stop, or as often as a list is long. */
function loopFault(subject: AcquisitionSubject, ttlMs: number, section: LeaseSection): Violated | undefined {
  // Commands of a store are quick, and nobody knows how many there are.
  const loop = section.loops.find((l) => l.kind === 'endless') ?? section.loops.find((l) => l.work !== 'store');
  if (loop === undefined || (loop.kind === 'list' && ttlMs > 5 * MINUTE)) return undefined;
  return violated(subject, loop, 'loop', ttlMs <= (loop.kind === 'endless' ? 15 : 1) * MINUTE ? 'likely' : 'possible', ttlMs, 0, 'goes on for as long as there is work');
}

/** One call that says nothing of its end is a habit worth a look. */
function openFault(subject: AcquisitionSubject, ttlMs: number, section: LeaseSection): Violated | undefined {
  const call = section.open.find((o) => o.work === 'model') ?? section.open.find((o) => o.work === 'process' || o.work === 'network');
  if (call === undefined || ttlMs > (call.work === 'model' ? 2 * MINUTE : MINUTE / 2)) return undefined;
  // A model's answer often takes longer than half a minute, and its client tries again.
  return violated(subject, call, 'open', call.work === 'model' && ttlMs <= MINUTE / 2 ? 'likely' : 'possible', ttlMs, 0, 'says nothing of its end');
}

function violated(subject: AcquisitionSubject, step: LeaseStep, messageId: string, certainty: Certainty, ttlMs: number, ms: number, note: string, inner: readonly WitnessStep[] = []): Violated {
  const { unit, operation, key } = subject;
  const taken = unit.placeOf(operation.node);
  return {
    status: 'violated',
    certainty,
    at: step.place,
    messageId,
    data: { step: quoted(step.text, 36), time: inWords(ms), key: quoted(key, 34), line: String(taken.line), ttl: inWords(ttlMs) },
    witness: [
      { place: taken, role: 'acquire', note: `${quotedApi(operation.api)} takes ${key} for ${inWords(ttlMs)}` },
      { place: step.place, role: 'await', note },
      ...inner,
      { place: step.place, role: 'lose', note: `after ${inWords(ttlMs)} the next worker takes the lock` },
    ],
    action: 'Renew the lock while the work runs and stop when that fails, or keep the work shorter than the TTL.',
  };
}

function unknown(_: AcquisitionSubject, fact: string, question: string): Outcome {
  return { status: 'unknown', missing: { fact, question } };
}

/** A job that its queue hands to the next worker when the lease is over. */
function judgeJob(subject: JobLeaseSubject): Outcome {
  const { lease, section, blocking, renewed, place } = subject;
  const { ttlMs, renews, capMs } = lease;
  if (renews?.everyMs !== undefined && renews.everyMs >= ttlMs) return jobViolated(subject, { place, text: lease.api }, 'late', renews.everyMs, 'certain');
  const block = blocking[0];
  if (renews !== undefined && block !== undefined && block.ms > ttlMs) return jobViolated(subject, block, 'blocked', block.ms, 'likely');
  if (renews !== undefined) return { status: 'verified', evidence: [{ place, note: 'the library renews the job while it runs' }] };
  if (renewed?.isAgain === true) return { status: 'verified', evidence: [{ place: renewed.place, note: 'renews the job again and again' }] };
  if (renewed !== undefined) return { status: 'unknown', missing: { fact: 'whether the job is renewed', question: 'Does this renew the job for as long as the work runs?' } };
  const total = capMs === undefined ? section.ms : Math.min(section.ms, capMs);
  const worst = [...section.steps].sort((a, b) => b.ms - a.ms)[0];
  if (total > ttlMs && worst !== undefined) return jobViolated(subject, worst, 'job', total, section.steps.every((s) => s.kind !== 'default') ? 'certain' : 'likely');
  if (capMs !== undefined && capMs <= ttlMs) return { status: 'verified', evidence: [{ place, note: `the work is ended after ${inWords(capMs)}` }] };
  if (section.open.length === 0 && section.loops.length === 0 && !section.watched) return { status: 'verified', evidence: [{ place, note: `the work takes ${inWords(section.ms)} at most, the job is leased for ${inWords(ttlMs)}` }] };
  return { status: 'unknown', missing: { fact: 'how long the work of the job takes', question: `Can the work of a job take longer than ${inWords(ttlMs)}?` } };
}

function jobViolated({ lease, place }: JobLeaseSubject, step: LeaseStep, messageId: 'job' | 'blocked' | 'late', ms: number, certainty: Certainty): Violated {
  const ttl = inWords(lease.ttlMs);
  return {
    status: 'violated', certainty, at: step.place, messageId,
    data: { step: quoted(step.text, 36), time: inWords(ms), ttl, option: quoted(lease.option), line: String(place.line) },
    witness: [
      { place, role: 'acquire', note: `a job is leased for ${ttl}` },
      { place: step.place, role: messageId === 'late' ? 'renew' : 'await', note: messageId === 'late' ? `renews every ${inWords(ms)}` : `can take ${inWords(ms)}` },
      { place: step.place, role: 'lose', note: `after ${ttl} the queue hands the job to the next worker` },
    ],
    action: 'Renew the job while its work runs, or set a longer lease than the work can take.',
  };
}

/** A time for people: `90 s`, `10 min`. */
function inWords(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${String(ms / 3_600_000)} h`;
  if (ms >= 120_000 && ms % 60_000 === 0) return `${String(ms / 60_000)} min`;
  return ms >= 1000 ? `${String(Math.round(ms / 100) / 10)} s` : `${String(ms)} ms`;
}
