import type ts from 'typescript';
import { enclosingFunction, functionName, statementOf } from '../syntax/expression.js';
import { showTerm, type Term } from '../syntax/term.js';
import { spanOf } from '../syntax/unit.js';
import type { TtlGiven } from '../operations/operation.js';
import { isTooLarge, TOO_LARGE } from './function-budget.js';
import type { Outcome } from './outcome.js';
import type { RuleDefinition } from './rule.js';
import { siteIdAt, type Site, type SiteFacts } from './site.js';
import type { JobLeaseSubject } from './job-subjects.js';
import type { LocalLockSubject } from './local-subjects.js';
import type { LockSubject, Subject } from './subject.js';
import { sectionOf } from '../targets/section.js';
import { withPrecedence } from './precedence.js';
import { transitionFacts } from './transition-facts.js';

/**
 * The site of a subject with what every rule says of it.
 * @param factsLater Its facts are told when they are asked for: they take more than most rules do.
 */
export function judgeSubject(subject: Subject, rules: readonly RuleDefinition[], factsLater = false): Site {
  const { unit } = subject;
  const node = nodeOf(subject);
  const kind = subject.kind === 'local' || subject.kind === 'job' ? 'A' : subject.kind;
  const place = unit.placeOf(node);
  const outcomes: Record<string, Outcome> = {};
  const isJudged = (rule: RuleDefinition): boolean => rule.subjects.includes(kind) && (subject.kind !== 'A' || !subject.locksRow || rule.judgesRowLocks === true) && !(subject.kind === 'T' && subject.isListed);
  const tooLarge = isTooLarge(subject);
  for (const rule of rules) outcomes[rule.id] = !isJudged(rule) ? { status: 'not-applicable' } : tooLarge ? TOO_LARGE : rule.judge(subject);
  const site = {
    id: siteIdAt(place),
    subject: kind,
    place,
    statement: spanOf(unit.file, statementOf(unit, node)),
    name: subject.kind === 'I' ? subject.name : functionName(unit, enclosingFunction(unit, node)),
  };
  if (!factsLater) return { ...site, facts: factsOf(subject), outcomes: withPrecedence(outcomes) };
  let facts: SiteFacts | undefined;
  return { ...site, get facts() { return (facts ??= factsOf(subject)); }, outcomes: withPrecedence(outcomes) };
}

function nodeOf(subject: Subject): ts.Node {
  if (subject.kind === 'T') return subject.transition.write.node;
  if (subject.kind === 'local') return subject.lock.node;
  if (subject.kind === 'job') return subject.lease.node;
  return subject.kind === 'I' ? subject.node : subject.operation.node;
}

function factsOf(subject: Subject): SiteFacts {
  if (subject.kind === 'T') return transitionFacts(subject);
  if (subject.kind === 'I') return { subject: 'I', name: subject.name, operations: subject.operations.map((o) => `${o.role} ${o.name}`) };
  if (subject.kind === 'job') return jobFacts(subject);
  return subject.kind === 'local' ? localFacts(subject) : lockFacts(subject);
}

/** As an acquisition: what it is taken for, and how far it reaches. */
function localFacts({ lock }: LocalLockSubject): SiteFacts {
  return { subject: 'A', api: `${lock.scope} lock`, key: lock.name, owner: 'none', ttl: 'none', result: 'unknown', scope: lock.scope, claim: false };
}

/** As an acquisition: the queue takes it for the worker. */
function jobFacts({ lease }: JobLeaseSubject): SiteFacts {
  return { subject: 'A', api: lease.api, key: 'job', owner: 'library', ttl: `${String(lease.ttlMs)} ms`, result: 'none', scope: 'job', claim: false };
}

function lockFacts(subject: LockSubject): SiteFacts {
  const { operation } = subject;
  const base = { api: operation.api, key: showTerm(operation.key) };
  if (subject.kind === 'A') {
    const { owner, ttl, result, scope } = subject.operation;
    const awaits = subject.claim || isTooLarge(subject) ? undefined : sectionOf(subject.unit, subject.operation)?.calls.length;
    return { subject: 'A', ...base, owner: showOwner(owner), ttl: showTtl(ttl), result: result.label, scope, claim: subject.claim, ...(awaits !== undefined && { awaits }) };
  }
  if (subject.kind === 'L') return { subject: 'L', ...base, owner: showOwner(subject.operation.owner), ownerCheck: subject.operation.ownerCheck };
  const { operation: extension } = subject;
  if (extension.kind === 'overwrite') return { subject: 'E', ...base, owner: showOwner(extension.value), ttl: showTtl(extension.ttl), ownerCheck: 'none' };
  return { subject: 'E', ...base, owner: showOwner(extension.owner), ttl: showTtl(extension.ttl), ownerCheck: extension.ownerCheck };
}

function showOwner(owner: Term | undefined): string {
  return owner === undefined ? 'unknown' : showTerm(owner);
}

function showTtl(given: TtlGiven): string {
  if (given.kind === 'given') return `${showTerm(given.ttl.term)} ${given.ttl.unit}`;
  return given.kind === 'none' ? 'none' : given.kind === 'lapses-otherwise' ? 'by the store' : 'unknown';
}
