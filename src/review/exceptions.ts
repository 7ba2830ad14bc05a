import type { Outcome, Violated } from '../engine/judge/outcome.js';
import { reported, type Reported } from '../engine/judge/reported.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Site } from '../engine/judge/site.js';
import type { DeclaredException } from '../exceptions/declared.js';
import { accepts, filesTest, judgeExceptions, type Acceptable, type JudgedException } from '../exceptions/judge.js';
import { findingsOf, type FindingOptions } from './findings.js';
import type { Judged } from './tally.js';
import type { Finding, ReviewException } from './types.js';

/** What the review is told of exceptions. */
export interface ExceptionOptions {
  readonly declared: readonly DeclaredException[];
  /** The ids of all rules there are, judged here or not. */
  readonly known: readonly string[];
  /** Files that were judged, absolute, with `/`. */
  readonly judgedFiles: readonly string[];
  /** Whether all files that an entry of the exceptions file may speak of were looked at, so that one that covers nothing is unused. */
  readonly whole: boolean;
}

/** What exceptions make of a review. */
export interface Accepted {
  /** The findings, each accepted one with the id of its exception. */
  readonly findings: readonly Finding[];
  readonly rows: readonly ReviewException[];
  /** The outcomes with the accepted ones told as verified: what the verdict is read off. */
  forVerdict(judged: readonly Judged[]): readonly Judged[];
}

interface Violation extends Acceptable { readonly outcome: Violated; readonly site: Site; readonly finding?: string }

export interface ExceptionInput {
  readonly sites: readonly Site[];
  readonly rules: readonly RuleDefinition[];
  /** What the profile reports, and the findings made of it, in the same order. */
  readonly found: readonly Reported[];
  readonly findings: readonly Finding[];
  readonly options: FindingOptions;
  /** The day, `YYYY-MM-DD`. Without one no exception can be judged, and none accepts anything. */
  readonly asOf: string | undefined;
}

/** Judges the exceptions over all violations, whatever the profile reports: one that is of use in the strict profile is not unused in the other. */
export function acceptedFindings(exceptions: ExceptionOptions | undefined, input: ExceptionInput): Accepted {
  const { findings, rules, options: { local } } = input;
  if (exceptions === undefined || exceptions.declared.length === 0 || input.asOf === undefined) return { findings, rows: [], forVerdict: (judged) => judged };
  const order = exceptions.declared.toSorted((a, b) => compare(local.path(a.file), local.path(b.file)) || a.line - b.line || compare(a.rule, b.rule));
  const judged = judgeExceptions(order, violationsOf(input), {
    asOf: input.asOf, known: exceptions.known,
    wasLookedFor: ({ rule, covers }) => rules.some(({ id }) => id === rule) && (covers.kind === 'line' || exceptions.whole || (covers.kind === 'files' && exceptions.judgedFiles.some(filesTest(covers)))),
  });
  const rows = judged.map((exception, at) => row(exception, `x${String(at + 1)}`, local.path(exception.declared.file)));
  const byFinding = new Map(rows.toReversed().flatMap((exception) => (accepts(exception) ? exception.findings.map((finding) => [finding, exception.id] as const) : [])));
  const outcomes = new Set<Outcome>(judged.filter(accepts).flatMap(({ violations }) => violations.map(({ outcome }) => outcome)));
  return {
    rows,
    findings: findings.map((finding) => {
      const exception = byFinding.get(finding.id);
      return exception === undefined ? finding : { ...finding, exception };
    }),
    forVerdict: (all) => withAccepted(all, outcomes),
  };
}

function violationsOf({ sites, rules, found, findings, options }: ExceptionInput): Violation[] {
  const shown = new Map(found.map(({ outcome }, at) => [outcome, findings[at]]));
  const all = reported(sites, rules, 'strict');
  const inAll = findingsOf(all, options);
  return all.map(({ rule, site, outcome }, at): Violation => {
    const finding = shown.get(outcome);
    return {
      rule: rule.id, file: outcome.at.file, line: outcome.at.line, fn: site.name, site, outcome,
      fingerprint: (finding ?? inAll[at])?.fingerprint ?? '',
      ...(finding === undefined ? {} : { finding: finding.id }),
    };
  });
}

function row({ declared, status, problem, violations }: JudgedException<Violation>, id: string, file: string): ReviewException {
  const { rule, line, source, owner, reason, expires } = declared;
  return {
    id, rule, file, line, source,
    ...(owner === undefined ? {} : { owner }), ...(reason === undefined ? {} : { reason }), ...(expires === undefined ? {} : { expires }),
    status,
    ...(problem === undefined ? {} : { problem }),
    findings: accepts({ status }) ? violations.flatMap(({ finding }) => finding ?? []) : [],
  };
}

/** A violation that another finding speaks for is accepted with that one: of the same subject, or of the acquire in the same function. */
function withAccepted(all: readonly Judged[], outcomes: ReadonlySet<Outcome>): Judged[] {
  const roots = new Set(all.filter(({ outcome }) => outcomes.has(outcome)).map(({ site, rule }) => root(site, rule.id)));
  return all.map((judged) => {
    const { outcome, site } = judged;
    if (outcome.status !== 'violated') return judged;
    const accepted = outcomes.has(outcome) || (outcome.supersededBy !== undefined && roots.has(root(site, outcome.supersededBy)));
    return accepted ? { ...judged, outcome: { status: 'verified', evidence: [] } } : judged;
  });
}

function root(site: Site, rule: string): string {
  return [site.place.file, site.name, rule].join('\0');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
