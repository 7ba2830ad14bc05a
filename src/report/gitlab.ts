import type { Finding, Review } from '../review/types.js';
import { isAccepted } from './accepted.js';
import { repositoryPath } from './file-uri.js';
import type { ReportOptions } from './formats.js';

/** One violation of GitLab's code quality report, a subset of the Code Climate issue. */
interface CodeQualityIssue {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'minor' | 'major' | 'critical';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number; readonly end: number } };
}

/** GitLab's code quality report. Accepted findings are left out: the widget would count them as the change's. */
export function gitlab(review: Review, { pathPrefix }: Pick<ReportOptions, 'pathPrefix'>): string {
  const seen = new Map<string, number>();
  const issues = review.findings.filter((finding) => !isAccepted(finding)).map((finding): CodeQualityIssue => ({
    description: `${finding.message} To do: ${finding.action}`,
    check_name: finding.rule,
    fingerprint: unique(finding.fingerprint, seen),
    severity: severity(finding),
    location: { path: repositoryPath(finding.file, pathPrefix), lines: { begin: finding.line, end: finding.endLine } },
  }));
  return `${JSON.stringify(issues, undefined, 2)}\n`;
}

/** GitLab hides the second of two equal fingerprints. */
function unique(fingerprint: string, seen: Map<string, number>): string {
  const times = (seen.get(fingerprint) ?? 0) + 1;
  seen.set(fingerprint, times);
  return times === 1 ? fingerprint : `${fingerprint}-${times}`;
}

function severity({ severity: level, certainty }: Finding): CodeQualityIssue['severity'] {
  if (level === 'warning') return 'minor';
  return certainty === 'certain' ? 'critical' : 'major';
}
