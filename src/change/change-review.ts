import type { Finding, FixedFinding, Review } from '../review/types.js';
import { baseLines } from './base-lines.js';
import { causedBy, type BothTexts } from './caused-by.js';
import type { ChangedLines } from './diff.js';
import { matchFindings } from './match-findings.js';
import { protocolChanges } from './protocol-changes.js';

/** What the review of a change is made of. */
export interface ChangeOptions {
  /** The ref as it was given. */
  readonly base: string;
  readonly mergeBase: string;
  readonly head: string | undefined;
  readonly lines: ChangedLines;
  readonly texts: BothTexts;
}

/** The review of head, its findings told new or old against base, with what the change mended and how it moved the protocol. Pure. */
export function changeReview(head: Review, base: Review, options: ChangeOptions): Review {
  const moved = baseLines(options.lines);
  const { old, fixed } = matchFindings(head.findings, base.findings, moved);
  const sites = new Map(head.sites.map((site) => [site.id, site]));
  const findings = head.findings.map((finding): Finding => {
    if (old.has(finding.id)) return { ...finding, change: 'old' };
    const cause = causedBy(finding, options.lines, sites, options.texts);
    return { ...finding, change: 'new', ...(cause !== undefined && { causedBy: cause }) };
  });
  return {
    ...head,
    scope: { ...head.scope, ...(options.head !== undefined && { commit: options.head }), base: options.base },
    findings,
    change: {
      base: options.base,
      mergeBase: options.mergeBase,
      filesChanged: options.lines.files.length,
      new: findings.length - old.size,
      old: old.size,
      fixed: fixed.map(fixedFinding),
      protocol: protocolChanges(head, base, moved),
    },
  };
}

function fixedFinding({ rule, skill, severity, certainty, file, line, message, fingerprint }: Finding): FixedFinding {
  return { rule, skill, severity, certainty, file, line, message, fingerprint };
}
