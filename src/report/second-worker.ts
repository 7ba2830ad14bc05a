import type { Finding, Review } from '../review/types.js';

/** Who the second worker of a finding is, and at which moment it strikes; prose with code in backticks. */
export function secondWorker(finding: Finding, review: Pick<Review, 'sites' | 'targets'>): string {
  const moment = momentOf(finding);
  if (finding.conflictsWith === undefined) return moment === undefined ? 'as the message says' : `as the message says, ${moment}`;
  const site = review.sites.find(({ id }) => id === finding.conflictsWith);
  const actor = actorOf(finding.conflictsWith, review);
  const named = site === undefined || site.name === '<module>' ? '' : `\`${site.name}\` `;
  return [`${named}at \`${finding.conflictsWith}\``, actor === undefined ? undefined : `entered by ${actor}`, moment].filter((part) => part !== undefined).join(', ');
}

function actorOf(site: string, { targets }: Pick<Review, 'targets'>): string | undefined {
  const actor = targets.flatMap(({ writers }) => writers).find((writer) => writer.site === site)?.actor;
  return actor === undefined || actor === 'unknown' ? undefined : actor;
}

/** Where a read stands before a write, the rival strikes between the two. For other paths only the message knows. */
function momentOf({ witness }: Finding): string | undefined {
  const read = witness.findIndex(({ role }) => role === 'read');
  const write = witness.findIndex(({ role }, at) => at > read && role === 'write');
  return read === -1 || write === -1 ? undefined : `between step ${read + 1} and step ${write + 1}`;
}
