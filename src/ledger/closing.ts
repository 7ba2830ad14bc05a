import type { Finding, Review, ReviewSite } from '../review/types.js';
import type { ClosedFinding, Closing, OpenedFinding } from './entry.js';

/** Whether a run looked at a file, there or not: what lies outside of it is not gone. */
export type Covers = (file: string) => boolean;

/** What closed a finding that is no longer open; undefined where nothing did: it was not looked for, or the profile does not report it. */
export function closingOf(opened: OpenedFinding, review: Review, covers: Covers): ClosedFinding | undefined {
  const closing = accepted(opened, review) ?? atItsPlace(opened, review, covers);
  return closing === undefined ? undefined : { fingerprint: opened.fingerprint, rule: opened.rule, closing };
}

function accepted({ fingerprint, rule }: OpenedFinding, { findings, exceptions }: Review): Closing | undefined {
  const finding = findings.find((f) => f.fingerprint === fingerprint && f.rule === rule);
  const exception = finding && exceptions.find(({ id }) => id === finding.exception);
  if (exception === undefined) return undefined;
  const { owner = '', reason = '', expires = '', file, line } = exception;
  return { by: 'exception', owner, reason, expires, file, line };
}

function atItsPlace(opened: OpenedFinding, review: Review, covers: Covers): Closing | undefined {
  const alike = review.sites.filter((site) => isAlike(site, opened));
  const here = alike.filter(({ file }) => file === opened.file);
  // A file may have been renamed by the change that mended it.
  const sites = (here.length > 0 ? here : alike).filter((site) => !isReported(site, opened.rule, review.findings));
  const told = sites.flatMap((site) => closingAt(site, opened.rule) ?? []);
  if (told.length > 0) return told.toSorted((a, b) => RANK[a.by] - RANK[b.by])[0];
  // A rule that was not judged, or a violation that the profile leaves out.
  if (sites.length > 0 || !covers(opened.file) || !isJudged(opened.rule, review)) return undefined;
  return { by: 'gone' };
}

/** Of equal places the one that is proven speaks. */
const RANK = { verified: 0, 'told-by': 1, unknown: 2, 'not-applicable': 3, gone: 4, exception: 5 } as const satisfies Record<Closing['by'], number>;

function closingAt(site: ReviewSite, rule: string): Closing | undefined {
  const outcome = site.outcomes[rule];
  switch (outcome?.status) {
    case 'verified': return { by: 'verified', at: site.id, evidence: outcome.evidence.map(({ file, line, note }) => ({ file, line, note })) };
    case 'unknown': return { by: 'unknown', at: site.id, question: outcome.missing?.question ?? '' };
    case 'not-applicable': return { by: 'not-applicable', at: site.id };
    case 'violated': return outcome.supersededBy === undefined ? undefined : { by: 'told-by', at: site.id, rule: outcome.supersededBy };
    case undefined: return undefined;
  }
}

/** A place that another finding of the rule speaks of is not this one's. */
function isReported(site: ReviewSite, rule: string, findings: readonly Finding[]): boolean {
  return findings.some((finding) => finding.rule === rule && finding.site === site.id);
}

function isJudged(rule: string, { sites }: Review): boolean {
  return sites.length === 0 || sites.some(({ outcomes }) => outcomes[rule] !== undefined);
}

function isAlike({ subject, name, facts }: ReviewSite, { site }: OpenedFinding): boolean {
  return subject === site.subject && name === site.fn && operationOf(facts) === site.operation;
}

/** The key or target of an operation, which a mend leaves as it is; owner, TTL and guard are what it changes. */
export function operationOf(facts: ReviewSite['facts']): string {
  switch (facts.subject) {
    case 'A':
    case 'L':
    case 'E':
      return facts.key;
    case 'T':
      return `${facts.target} -> ${facts.to}`;
    case 'I':
      return facts.name;
  }
}
