/**
 * Hidden first lines by which a later run knows its own comments. Only the first line counts: source text may hold a marker too.
 */
export const SUMMARY_MARKER = '<!-- step-lock:summary -->';

export function findingMarker(fingerprint: string): string {
  return `<!-- step-lock:finding:${fingerprint} -->`;
}

export function resolvedMarker(fingerprint: string): string {
  return `<!-- step-lock:resolved:${fingerprint} -->`;
}

export interface Marked {
  readonly fingerprint: string;
  readonly state: 'finding' | 'resolved';
}

/** The finding a comment is of; undefined for any other comment. */
export function markedFinding(body: string): Marked | undefined {
  const [, state, fingerprint] = /^<!-- step-lock:(finding|resolved):([0-9a-f]+) -->\r?(?:\n|$)/.exec(body) ?? [];
  if (fingerprint === undefined) return undefined;
  return { fingerprint, state: state === 'finding' ? 'finding' : 'resolved' };
}

export function isSummary(body: string): boolean {
  return /^<!-- step-lock:summary -->\r?(?:\n|$)/.test(body);
}

/** The comment without its first line. */
export function withoutMarker(body: string): string {
  return body.replace(/^[^\n]*\n?/, '');
}
