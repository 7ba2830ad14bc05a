import type { Affected } from './affected.js';
import type { AuditState } from './audit-state.js';
import type { Judging } from './judge-anew.js';

/** One of several machines that judge a tree together: `2` of `4`. */
export interface Share {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** The files of a share: neighbours in the order of their paths, since what belongs together lies together, and about as much text as any other share has. */
export function filesOfShare(candidates: ReadonlyMap<string, string>, { index, of }: Share): ReadonlySet<string> {
  const sizes = [...candidates].map(([path, text]) => [path, text.length] as const);
  const whole = sizes.reduce((sum, [, size]) => sum + size, 0);
  const files = new Set<string>();
  let before = 0;
  for (const [path, size] of sizes) {
    // By its middle, so that each file is in one share, whatever its size.
    const share = Math.min(of, Math.floor(((before + size / 2) / Math.max(whole, 1)) * of) + 1);
    if (share === index) files.add(path);
    before += size;
  }
  return files;
}

/** Whether the states are of this tree, judged with this key, and hold all its files between them. */
export function areSharesOf({ contents, candidates, key }: Pick<Judging, 'contents' | 'candidates' | 'key'>, shares: readonly AuditState[]): boolean {
  const now = JSON.stringify(Object.entries(contents).sort());
  const judged = new Set(shares.flatMap(({ files }) => files.map(({ path }) => path)));
  return shares.every((share) => share.key === key && JSON.stringify(Object.entries(share.contents).sort()) === now) && [...candidates.keys()].every((path) => judged.has(path));
}

/** The states as one. What crosses them is not yet as a run over all would tell it. */
export function unionOf(shares: readonly AuditState[]): AuditState {
  const [first] = shares;
  if (first === undefined) throw new Error('a union of no shares');
  return {
    version: first.version,
    key: first.key,
    contents: first.contents,
    besides: Object.assign({}, ...shares.map(({ besides }) => besides)) as AuditState['besides'],
    files: shares.flatMap(({ files }) => files).sort((a, b) => (a.path < b.path ? -1 : 1)),
    rows: shares.flatMap(({ rows }) => rows).sort(({ begins: a }, { begins: b }) => (a.path === b.path ? a.at - b.at : a.path < b.path ? -1 : 1)),
    guards: guardsOf(shares),
    answers: answersOf(shares),
    mentions: Object.assign({}, ...shares.map(({ mentions }) => mentions)) as AuditState['mentions'],
    specifiers: shares.flatMap(({ specifiers }) => specifiers),
    fixes: {},
    syntax: Object.assign({}, ...shares.map(({ syntax }) => syntax)) as AuditState['syntax'],
  };
}

/**
 * What no share could tell alone: rows with writers in two of them, guards that one has and another asks about, and functions that ask callers in another share for
 * a lock.
 */
export function crossingParts(shares: readonly AuditState[]): Omit<Affected, 'mentions' | 'isMoved'> {
  const keys = sharedBy(shares.map(({ files }) => files.flatMap(({ gives }) => gives)));
  const guards = guardsOf(shares);
  const anew = new Set<string>();
  const judge = new Set<string>();
  const readers = new Map<string, string[]>();
  shares.forEach((share, at) => {
    const own = new Set(share.files.map(({ path }) => path));
    const isMoved = movedGuards(share, guards);
    const givenElsewhere = new Set(shares.flatMap((other, place) => (place === at ? [] : other.files.flatMap(({ gives }) => gives))));
    for (const { path, reads, gives, landsIn } of share.files) {
      for (const to of landsIn) if (!own.has(to)) judge.add(to);
      if (reads.some(isMoved)) {
        anew.add(path);
        gives.forEach((key) => keys.add(key));
      }
      for (const key of reads) {
        if (!key.startsWith('#')) continue;
        readers.set(key.slice(1), [...readers.get(key.slice(1)) ?? [], path]);
        if (givenElsewhere.has(key.slice(1))) judge.add(path);
      }
    }
    for (const row of share.rows) if (row.reads.some(isMoved)) keys.add(row.key);
  });
  for (const path of anew) judge.add(path);
  for (const key of keys) readers.get(key)?.forEach((path) => judge.add(path));
  return { judge, anew, keys, readersOf: (key) => readers.get(key) ?? [] };
}

/** Whether a read asked for guards of which the share has not all. */
function movedGuards(share: AuditState, whole: AuditState['guards']): (read: string) => boolean {
  const own = new Map(share.guards.map(([key, files]) => [key, files.length]));
  const moved = new Set(whole.filter(([key, files]) => own.get(key) !== files.length).map(([key]) => `!${key}`));
  return (read) => moved.has(read);
}

/** The shares are of the same files: what two of them asked was answered alike. */
function answersOf(shares: readonly AuditState[]): AuditState['answers'] {
  const answers: Record<string, Record<string, string>> = {};
  for (const [path, asked] of shares.flatMap((share) => Object.entries(share.answers))) answers[path] = { ...answers[path], ...asked };
  return answers;
}

function guardsOf(shares: readonly AuditState[]): AuditState['guards'] {
  const guards = new Map<string, Set<string>>();
  for (const [key, files] of shares.flatMap((share) => share.guards)) guards.set(key, new Set([...guards.get(key) ?? [], ...files]));
  return [...guards].map(([key, files]) => [key, [...files].sort()] as const).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What at least two of the lists hold. */
function sharedBy(lists: readonly (readonly string[])[]): Set<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const list of lists) {
    for (const key of new Set(list)) {
      if (seen.has(key)) shared.add(key);
      seen.add(key);
    }
  }
  return shared;
}
