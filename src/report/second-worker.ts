import type { Finding, Review } from '../review/types.js';

/** Who the second worker of a finding is, and at which moment it strikes; prose with code in backticks. */
export function secondWorker(finding: Finding, review: Pick<Review, 'sites' | 'targets'>): string {
  const who = finding.conflictsWith === undefined ? 'as the message says' : workerAt(finding.conflictsWith, review);
  const moment = momentOf(finding);
  return moment === undefined ? who : `${moment}: ${who}`;
}

function workerAt(id: string, review: Pick<Review, 'sites' | 'targets'>): string {
  const site = review.sites.find((each) => each.id === id);
  const named = site === undefined || site.name === '<module>' ? '' : `\`${site.name}\` at `;
  const actor = actorOf(id, review);
  return `${named}\`${id}\`${actor === undefined ? '' : `, entered by ${actor}`}`;
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
