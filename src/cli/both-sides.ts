import { audit, filesAsked, type AuditOptions, type AuditResult, type Keeping } from '../audit/audit.js';
import type { AuditState } from '../audit/audit-state.js';
import type { OtherVersion } from '../audit/file-tree.js';
import type { KeptAudit, Seen } from '../audit/kept-audit.js';
import { hasSameFiles } from '../audit/same-files.js';
import { createWatch } from '../audit/watch.js';
import type { Review } from '../review/types.js';
import { auditSetup } from './audit-anew.js';
import { openKept } from './audit-cache.js';
import type { AuditFlags } from './audit-options.js';
import { createProgress } from './progress.js';
import type { Terminal } from './terminal.js';
import { toolDigest } from './tool-digest.js';

/** The review of the work tree, and the one of its base, of which only what differs is read and judged apart. */
export interface BothSides {
  readonly now: Review;
  readonly then: Review;
}

/** From this number of entries on that had to be read to be known as the same, what they look like is kept anew. */
const MANY_READ = 200;

/**
 * Judges a work tree and its base. What was kept of an earlier review, or else of an audit, tells which files have not changed since, and what is to be said of them.
 * @param base The files of the base that differ from the work tree.
 * @throws as `audit` does.
 */
export async function bothSides(paths: readonly string[], flags: AuditFlags, terminal: Terminal, base: OtherVersion): Promise<BothSides> {
  const { options, key, reviewOf } = await auditSetup(paths, flags, terminal);
  const cache = openCache(paths, flags, terminal, key);
  const progress = createProgress(terminal, flags.quiet);
  try {
    const more: AuditOptions = { ...options, onProgress: progress.step, ...(cache && { compiledFolder: cache.own.folder, keeping: cache.keeping }) };
    const judge = (state: AuditState | undefined, side: Partial<AuditOptions>): Promise<AuditResult> => audit({ ...more, ...side, earlier: { state, key: toolDigest() } });
    progress.step('looking for files');
    const found = cache?.keeping.before?.found ?? filesAsked(options);
    const then = await judge(cache?.state, { otherVersion: base, ...(hasSameFiles(found, base) && { found }) });
    const now = await judge(cache?.isOfWorkTree === true ? cache.state : then.state?.(), { found, factsOf: (path) => (base.has(path) ? undefined : then.facts.get(path)) });
    if (cache !== undefined && (cache.isStale || then.judgedAnew > 0)) cache.own.keepAids({ kept: now.kept, state: then.state }, key);
    return { now: await reviewOf(now), then: await reviewOf(then) };
  } finally {
    progress.end();
  }
}

interface ReviewCache {
  readonly own: KeptAudit;
  readonly keeping: Keeping;
  readonly state: AuditState | undefined;
  /** Whether the state is that of the work tree as it is, and no other. */
  readonly isOfWorkTree: boolean;
  /** Whether what the disk looks like is to be kept anew. */
  readonly isStale: boolean;
}

function openCache(paths: readonly string[], flags: AuditFlags, terminal: Terminal, key: string): ReviewCache | undefined {
  const own = openKept('review', paths, flags, terminal);
  if (own === undefined) return undefined;
  const seen = own.look();
  const isFirst = seen === undefined;
  const other = isFirst ? openKept('audit', paths, flags, terminal) : undefined;
  const [kept, about]: [KeptAudit, Seen | undefined] = other === undefined ? [own, seen] : [other, other.look()];
  const { keeping, state } = kept.keeping(about, key, createWatch());
  return { own, keeping, state, isOfWorkTree: other !== undefined && about?.isSame === true, isStale: isFirst || seen.moved.isListingMoved || seen.moved.read - seen.moved.files.size > MANY_READ };
}
