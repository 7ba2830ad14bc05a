import { enclosingFunction, functionName, statementOf } from '../syntax/expression.js';
import { showTerm } from '../syntax/term.js';
import { spanOf } from '../syntax/unit.js';
import type { TtlGiven } from '../operations/operation.js';
import type { Outcome } from './outcome.js';
import type { RuleDefinition } from './rule.js';
import { siteIdAt, type Site, type SiteFacts } from './site.js';
import type { LockSubject, Subject } from './subject.js';
import { withPrecedence } from './precedence.js';
import { transitionFacts } from './transition-facts.js';

/** The site of a subject with what every rule says of it. */
export function judgeSubject(subject: Subject, rules: readonly RuleDefinition[]): Site {
  const { unit } = subject;
  const node = subject.kind === 'T' ? subject.transition.write.node : subject.operation.node;
  const place = unit.placeOf(node);
  const outcomes: Record<string, Outcome> = {};
  for (const rule of rules) outcomes[rule.id] = rule.subjects.includes(subject.kind) && !(subject.kind === 'T' && subject.isListed) ? rule.judge(subject) : { status: 'not-applicable' };
  return {
    id: siteIdAt(place),
    subject: subject.kind,
    place,
    statement: spanOf(unit.file, statementOf(unit, node)),
    name: functionName(unit, enclosingFunction(unit, node)),
    facts: subject.kind === 'T' ? transitionFacts(subject) : factsOf(subject),
    outcomes: withPrecedence(outcomes),
  };
}

function factsOf(subject: LockSubject): SiteFacts {
  const { operation } = subject;
  const base = { api: operation.api, key: showTerm(operation.key) };
  if (subject.kind === 'A') {
    const { owner, ttl } = subject.operation;
    return { subject: 'A', ...base, owner: owner === undefined ? 'unknown' : showTerm(owner), ttl: showTtl(ttl), result: 'unknown', scope: 'manual', claim: subject.claim };
  }
  if (subject.kind === 'L') return { subject: 'L', ...base, owner: 'unknown', ownerCheck: subject.operation.ownerCheck };
  const { operation: extension } = subject;
  const ttl = extension.kind === 'extend' ? showTtl(extension.ttl) : 'none';
  return { subject: 'E', ...base, owner: 'unknown', ttl, ownerCheck: extension.kind === 'extend' ? extension.ownerCheck : 'none' };
}

function showTtl(given: TtlGiven): string {
  if (given.kind === 'given') return `${showTerm(given.ttl.term)} ${given.ttl.unit}`;
  return given.kind === 'none' ? 'none' : given.kind === 'lapses-otherwise' ? 'by the store' : 'unknown';
}
