import type { Outcome } from './outcome.js';
import type { Site } from './site.js';
import type { ExtensionSubject, ReleaseSubject, Subject } from './subject.js';
import type { TransitionSubject } from './transition-subject.js';

/** A subject with what the rules say of it. */
export interface Judged {
  readonly subject: Subject;
  readonly site: Site;
}

/** After one of these at an acquire, what follows is judged as if the lock were held: the root is told there. */
const BROKEN_ACQUIRE = ['no-floating-lock', 'no-ignored-acquire-result', 'no-local-lock', 'require-pinned-connection', 'no-key-mismatch', 'require-atomic-acquire'];

/** What a release or write may then report that is no fault of its own. */
const FOLLOWS = ['no-unheld-release', 'require-lock'];

/** Sets `supersededBy` where the finding of another subject on the same lock tells the root cause. */
export function withRoots(judged: readonly Judged[]): readonly Site[] {
  const sites = new Map<unknown, Site>(judged.flatMap(({ subject, site }) => (subject.kind === 'A' ? [[subject.operation.node, site] as const] : [])));
  return judged.map(({ subject, site }) => {
    if (subject.kind === 'A' || subject.kind === 'I' || subject.kind === 'local' || subject.kind === 'job') return site;
    const acquires = acquiresOf(subject, sites);
    if (acquires.length === 0) return site;
    const outcomes: Record<string, Outcome> = { ...site.outcomes };
    for (const follower of FOLLOWS) silence(outcomes, follower, acquires, BROKEN_ACQUIRE);
    // The same owner that all share, named again.
    if (subject.kind !== 'T' && subject.ownerRelation === 'equal') silence(outcomes, 'require-release-owner', acquires, ['require-unique-owner']);
    return { ...site, outcomes };
  });
}

function silence(outcomes: Record<string, Outcome>, follower: string, acquires: readonly Site[], roots: readonly string[]): void {
  const outcome = outcomes[follower];
  if (outcome?.status !== 'violated' || outcome.supersededBy !== undefined) return;
  const root = roots.find((rule) => acquires.some((a) => speaks(a.outcomes[rule])));
  if (root !== undefined) outcomes[follower] = { ...outcome, supersededBy: root };
}

/** A finding that the recommended profile may show. */
function speaks(outcome: Outcome | undefined): boolean {
  return outcome?.status === 'violated' && outcome.supersededBy === undefined && outcome.strictOnly !== true && outcome.certainty !== 'possible';
}

function acquiresOf(subject: ReleaseSubject | ExtensionSubject | TransitionSubject, sites: ReadonlyMap<unknown, Site>): readonly Site[] {
  const nodes = subject.kind === 'T' ? subject.triedLocks() : subject.besides.filter((o) => o.kind === 'acquire').map((o) => o.node);
  return nodes.flatMap((node) => sites.get(node) ?? []);
}
