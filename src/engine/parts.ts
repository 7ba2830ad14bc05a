import type { Wrapper } from './functions/wrappers.js';
import { lockRecord } from './judge/lock-record.js';
import { siteIdAt, type Analysis, type EngineError, type LookAlike, type Site, type Target } from './judge/site.js';
import { withProtected } from './judge/targets.js';
import type { GuardNotes } from './targets/guards-elsewhere.js';

/** What a run says of one file, and what that depends on. Plain data. */
export interface FilePart {
  readonly path: string;
  readonly sites: readonly Site[];
  readonly alike: readonly LookAlike[];
  readonly wrappers: readonly Wrapper[];
  readonly errors: readonly EngineError[];
  /** What was looked at beyond the file: `/path` a file, `?name` the files that mention a name, `%name` that they are too many, `#target` the row of a target, `!target column` whether others guard it. Empty without `tracks`. */
  readonly reads: readonly string[];
  /** The targets whose rows it has a part in. */
  readonly gives: readonly string[];
  /** The files in which its functions ask their callers for a lock. */
  readonly landsIn: readonly string[];
}

/** What a run says of one target. */
export interface RowPart {
  readonly key: string;
  /** The first transition of it: the order of rows. */
  readonly begins: { readonly path: string; readonly at: number };
  readonly target: Target;
  /** The acquires under which it is written. */
  readonly acquires: readonly string[];
  /** The files its writers stand in. */
  readonly standsIn: readonly string[];
  readonly reads: readonly string[];
}

/** All a run says, by what it depends on. */
export interface Parts {
  /** In the order of the files that were given. */
  readonly files: readonly FilePart[];
  readonly rows: readonly RowPart[];
  readonly guards: GuardNotes;
}

export interface PartOptions {
  /** Tells what each part depends on. */
  readonly tracks?: boolean;
  /** The files to judge; the others only have their part in the rows. Default: all. */
  readonly judges?: (path: string) => boolean;
  /** The files whose functions may ask their callers for a lock. Default: all. */
  readonly asks?: (path: string) => boolean;
  /** The targets whose rows are wanted. Default: all. */
  readonly tells?: (key: string) => boolean;
  /** The guards of files that are not given. */
  readonly guardsOfOthers?: GuardNotes;
}

/** The parts as one analysis. */
export function assembled({ files, rows }: Pick<Parts, 'files' | 'rows'>): Analysis {
  const sites = files.flatMap((file) => file.sites);
  const alike: LookAlike[] = [];
  for (const file of files) {
    // One line of configuration settles them all.
    alike.push(...file.alike.filter((l) => !alike.some((a) => a.configLine === l.configLine)));
  }
  const wrappers = new Map<string, Wrapper>();
  for (const wrapper of files.flatMap((file) => file.wrappers)) if (!wrappers.has(siteIdAt(wrapper.place))) wrappers.set(siteIdAt(wrapper.place), wrapper);
  const judgedAt = new Set(sites.map(({ id }) => id));
  return {
    sites,
    // What only its callee tells is judged at the call.
    lookAlikes: alike.filter((l) => !judgedAt.has(siteIdAt(l.place))),
    targets: rows.map(({ target }) => target),
    locks: withProtected(sites.flatMap(lockRecord), rows.map(({ target: { name }, acquires }) => ({ name, acquires }))),
    wrappers: [...wrappers.values()],
    errors: files.flatMap((file) => file.errors),
  };
}
