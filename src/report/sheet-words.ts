import type { Finding, ReviewSite } from '../review/types.js';

export const UNKNOWN = 'unknown';

/** A text of a lock record, or nothing for what the engine could not tell. */
export function known(before: string, text: string): string[] {
  return text === UNKNOWN || text === '' ? [] : [`${before}${text}`];
}

const LONGEST_GLANCE = 72;

/** A text for a table of many rows, its middle left out when it is long: a key says what it is at its ends. */
export function glance(text: string): string {
  if (text.length <= LONGEST_GLANCE) return text;
  const half = Math.floor(LONGEST_GLANCE / 2);
  return `${text.slice(0, half)}\u2026${text.slice(-half)}`;
}

/** What some rules say of some places: one entry a rule and status that applies, the worst first. A violation names its finding. */
export function judgedAs(sites: readonly ReviewSite[], rules: readonly string[], findings: readonly Finding[]): string[] {
  return rules.flatMap((rule) => STATUSES.flatMap((status) => {
    const notes = new Set(sites.flatMap((site) => noteOf(site, rule, status, findings)));
    return notes.size === 0 ? [] : [`${status} (\`${rule}\`): ${[...notes].join('; ')}`];
  }));
}

const STATUSES = ['violated', 'unknown', 'verified'] as const;

function noteOf(site: ReviewSite, rule: string, status: (typeof STATUSES)[number], findings: readonly Finding[]): string[] {
  const outcome = site.outcomes[rule];
  if (outcome?.status !== status) return [];
  if (status === 'unknown') return [outcome.missing?.question ?? 'nobody knows'];
  if (status === 'violated') return [findings.find((finding) => finding.site === site.id && finding.rule === rule)?.id ?? `\`${site.file}:${site.line}\`, not reported in this profile`];
  return [outcome.evidence[0]?.note ?? `line ${site.line}`];
}
