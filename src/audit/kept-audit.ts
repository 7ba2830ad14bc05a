import { join } from 'node:path';
import type { AuditResult, Keeping, KeptKnowledge } from './audit.js';
import { unpackedState, packedState, type AuditState } from './audit-state.js';
import { digestOf } from './digest.js';
import { markUsed, pruneKept, readKept, writeKept } from './kept-file.js';
import { packedWatched, unpackedWatched, type PackedWatched } from './packed-watched.js';
import type { Watch } from './watch.js';
import { movedSince, type Moved } from './watched.js';

/** What was kept of an audit, and how it stands to the disk now. */
export interface Seen {
  /** Tells this state of the tree from all others. */
  readonly id: string;
  readonly moved: Moved;
  readonly isSame: boolean;
  /** Tells the tree as it is now from all others; undefined where too much has moved to say. */
  readonly treeId: string | undefined;
}

/** The cache of one kind of audit: same folder, paths and flags. */
export interface KeptAudit {
  /** Where the cache lies, absolute. */
  readonly folder: string;
  /** Looks at what was kept and at the disk; undefined where there is nothing of use. */
  look(): Seen | undefined;
  /** What was kept beside, under the state of the tree that was seen. */
  aside(name: string): { read(): string | undefined; write(text: string): void };
  /** The result of the tree as it was seen, judged with this key. */
  result(seen: Seen, key: string): AuditResult | undefined;
  /**
   * What an audit of a tree that has moved can take over.
   * @param watch It begins now, and is told what has not moved.
   */
  keeping(seen: Seen | undefined, key: string, watch: Watch): { readonly keeping: Keeping; readonly state: AuditState | undefined };
  /**
   * Keeps a result; gives the id of the tree it is of, undefined where it cannot be kept. Of a tree in which a few files differ from the one that was kept nothing is
   * kept: to judge those again costs less than to write all that is known of the others.
   */
  keep(result: AuditResult, key: string): string | undefined;
  /** Keeps what was noted of the disk, and a state to begin from; not a result. */
  keepAids(aids: Aids, key: string): void;
}

/** What spares a later run its work, of an audit or of two. */
export interface Aids {
  readonly state: AuditResult['state'] | undefined;
  readonly kept: AuditResult['kept'] | undefined;
}

interface KeptTree {
  readonly id: string;
  readonly watched: PackedWatched;
}

/** What was found in a tree, apart from the result: a run that judges some files anew has no use for that. */
interface KeptFacts extends Omit<KeptKnowledge, 'watched'> {
  readonly id: string;
  readonly key: string;
}

interface KeptResult {
  readonly id: string;
  readonly key: string;
  readonly result: Said;
}

type Said = Omit<AuditResult, 'state' | 'kept' | 'view' | 'facts' | 'found'>;

/** From this number of entries on that had to be read to be known as the same, what they look like is kept anew. */
const MANY_READ = 32;
/** So many files may differ from the tree that was kept, and so many be judged for them, each time, before it is kept anew. */
const MOST_NEAR = 3;
const MOST_NEAR_JUDGED = 24;
/** A tree that moves a lot gathers places that nobody asks for any more: it is watched from scratch then. */
const MOST_PLACES = 50_000;

/**
 * @param folder Where the cache lies, absolute.
 * @param name What tells it from the audits of other folders and flags.
 * @param tool The digest of the tool.
 * @param onUseless Told of a cache that cannot be used.
 */
export function keptAudit(folder: string, { name, tool, onUseless }: { readonly name: string; readonly tool: string; readonly onUseless: (why: 'broken' | 'foreign') => void }): KeptAudit {
  const stem = join(folder, digestOf(name).slice(0, 16));
  const paths = { tree: `${stem}.tree.kept`, facts: `${stem}.facts.kept`, result: `${stem}.result.kept`, state: `${stem}.state.kept` };
  /** As it lies in the cache already. */
  let stateRead: AuditState | undefined;
  let begun: { readonly seen: Seen; readonly watch: Watch } | undefined;
  return { folder, look, aside, result, keeping, keep, keepAids };

  function look(): Seen | undefined {
    const tree = read(paths.tree) as KeptTree | undefined;
    if (tree === undefined) return undefined;
    const moved = movedSince(unpackedWatched(tree.watched), Date.now());
    const isSame = moved.files.size === 0 && !moved.isListingMoved;
    if (isSame && moved.read >= MANY_READ) write(paths.tree, { id: tree.id, watched: packedWatched(moved.now) } satisfies KeptTree);
    return { id: tree.id, moved, isSame, treeId: isSame ? tree.id : isNear(moved) ? nearId(tree.id, moved.files) : undefined };
  }

  function aside(about: string): { read(): string | undefined; write(text: string): void } {
    const path = `${stem}.${digestOf(about).slice(0, 16)}.kept`;
    return {
      read: () => {
        const back = readKept(path, tool);
        return back.kind === 'whole' ? back.body : undefined;
      },
      write: (text) => { writeKept(path, tool, text); },
    };
  }

  function result(seen: Seen, key: string): AuditResult | undefined {
    const kept = seen.isSame ? read(paths.result) as KeptResult | undefined : undefined;
    const facts = kept?.id === seen.id && kept.key === key ? keptFacts(seen, key) : undefined;
    return kept && facts && { ...kept.result, found: facts.found, facts: new Map(Object.entries(facts.facts)) };
  }

  function keeping(seen: Seen | undefined, key: string, watch: Watch): { readonly keeping: Keeping; readonly state: AuditState | undefined } {
    const kept = seen && keptFacts(seen, key);
    if (seen === undefined || kept === undefined || seen.moved.now.places.length > MOST_PLACES) return { keeping: { watch }, state: undefined };
    const { files: moved, now, isListingMoved } = seen.moved;
    const same = new Set(now.files.filter((path) => !moved.has(path)));
    watch.takeOver(now, same, !isListingMoved);
    stateRead = stateFor(seen, kept);
    begun = { seen, watch };
    return {
      keeping: { watch, before: { found: isListingMoved ? undefined : kept.found, factsOf: (path) => (same.has(path) ? kept.facts[path] : undefined) } },
      state: stateRead,
    };
  }

  function keep(audited: AuditResult, key: string): string | undefined {
    const near = idOfNear(audited);
    if (near !== undefined) {
      markUsed(Object.values(paths), new Date());
      pruneKept(folder, Date.now());
      return near;
    }
    const { state, kept, view: _, facts: __, found: ___, ...said } = audited;
    const id = keepTree({ kept, state }, key);
    if (id !== undefined) write(paths.result, { id, key, result: said } satisfies KeptResult);
    return id;
  }

  /** The id of a tree that is so near to the one that was kept that it is known by what differs. */
  function idOfNear({ judged, judgedAnew }: AuditResult): string | undefined {
    if (begun === undefined || stateRead === undefined || judgedAnew > Math.min(MOST_NEAR_JUDGED, judged.length / 2)) return undefined;
    const { seen: { id, moved }, watch } = begun;
    // As the run read them, not as they were found before it.
    const digests = moved.files.size > 0 && isNear(moved) && moved.read - moved.files.size < MANY_READ ? watch.digestsOf(moved.files.keys()) : undefined;
    return digests && nearId(id, digests);
  }

  function keepAids(aids: Aids, key: string): void {
    keepTree(aids, key);
  }

  function keepTree({ state, kept }: Aids, key: string): string | undefined {
    const known = kept?.();
    if (known?.watched === undefined) return undefined;
    const { watched, found, facts } = known;
    const id = digestOf(`${key}${watched.digests.join()}${watched.listings.join()}${String(watched.since)}`);
    const made = state?.();
    if (made !== undefined && made !== stateRead) writeKept(paths.state, tool, packedState(made));
    write(paths.facts, { id, key, found, facts } satisfies KeptFacts);
    write(paths.tree, { id, watched: packedWatched(watched) } satisfies KeptTree);
    pruneKept(folder, Date.now());
    return id;
  }

  function keptFacts(seen: Seen, key: string): KeptFacts | undefined {
    const kept = read(paths.facts) as KeptFacts | undefined;
    return kept?.id === seen.id && kept.key === key ? kept : undefined;
  }

  /** The state, where it knows of everything that moved; not of the end of an `extends` chain, or of a place outside of the tree. */
  function stateFor({ moved }: Seen, { facts }: KeptFacts): AuditState | undefined {
    const back = moved.arePlacesMoved ? undefined : readKept(paths.state, tool);
    const state = back?.kind === 'whole' ? unpackedState(back.body) : undefined;
    return state !== undefined && [...moved.files.keys()].every((path) => facts[path] !== undefined || state.besides[path] !== undefined) ? state : undefined;
  }

  /** What stands in a file, as it was written: its digest held, and this very version of step-lock wrote it. */
  function read(path: string): unknown {
    const back = readKept(path, tool);
    if (back.kind === 'broken' || back.kind === 'foreign') onUseless(back.kind);
    return back.kind === 'whole' ? JSON.parse(back.body) : undefined;
  }

  function write(path: string, value: object): void {
    writeKept(path, tool, JSON.stringify(value));
  }
}

function isNear({ files, isListingMoved }: Moved): boolean {
  return !isListingMoved && files.size <= MOST_NEAR;
}

function nearId(id: string, digests: ReadonlyMap<string, string>): string {
  return digestOf(JSON.stringify([id, ...[...digests].sort(([a], [b]) => (a < b ? -1 : 1))]));
}
