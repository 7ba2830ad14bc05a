import type { ProtocolChange, Review, ReviewSite } from '../review/types.js';
import type { BaseLines } from './base-lines.js';
import { lockChanges, releaseChanges } from './lock-changes.js';
import { pairUp } from './pair-up.js';
import { targetChanges } from './target-changes.js';

const RANK = { weaker: 0, different: 1, stronger: 2 } as const satisfies Record<ProtocolChange['effect'], number>;

/**
 * How a change moved the protocol of locks and targets: what protects less first. Things are known by key, function and target, never by their line; so
 * that what only moved is no change. Pure.
 */
export function protocolChanges(head: Review, base: Review, lines: BaseLines): ProtocolChange[] {
  const found = [...lockChanges(head, base, lines), ...releaseChanges(head, base, lines), ...targetChanges(head, base, lines), ...coverage(head, base, lines)];
  // The sort is stable: within one effect locks come before targets.
  return onceEach(found).sort((a, b) => RANK[a.effect] - RANK[b.effect]);
}

/** A function that writes three times under a lock loses it three times: told once. */
function onceEach(changes: readonly ProtocolChange[]): ProtocolChange[] {
  const alike = new Map<string, ProtocolChange[]>();
  for (const change of changes) {
    const key = `${change.subject}\0${change.what}\0${change.effect}\0${change.file}`;
    alike.set(key, [...(alike.get(key) ?? []), change]);
  }
  return [...alike.values()].flatMap(([first, ...others]) => (first === undefined ? [] : others.length === 0 ? first : { ...first, what: `${first.what} (${String(others.length + 1)} places)` }));
}

/** Places that were judged in base and are not seen in head: what is not seen is not judged. */
function coverage(head: Review, base: Review, lines: BaseLines): ProtocolChange[] {
  const { lost } = pairUp(head.sites, base.sites, [
    (site, side) => `${site.subject} ${site.name} ${pathOf(site, side, lines)}`,
    (site) => `${site.subject} ${site.name}`,
  ]);
  const [first] = lost;
  if (first === undefined) return [];
  const deleted = lost.filter(({ file }) => lines.path(file) === undefined).length;
  const of = lost.length === 1 ? '1 site is' : `${String(lost.length)} sites are`;
  const where = deleted === 0 ? '' : deleted === lost.length ? ', in deleted files' : `, ${String(deleted)} of them in deleted files`;
  return [{ subject: 'coverage', kind: 'coverage', what: `${of} no longer seen${where}`, effect: deleted === lost.length ? 'different' : 'weaker', file: first.file, line: first.line }];
}

function pathOf({ file }: ReviewSite, side: 'head' | 'base', lines: BaseLines): string {
  return side === 'head' ? file : lines.path(file) ?? file;
}
