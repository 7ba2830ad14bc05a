import type { ProtocolChange, Review, ReviewSite, ReviewTarget, ReviewWriter } from '../review/types.js';
import type { BaseLines } from './base-lines.js';
import { pairUp } from './pair-up.js';

/** A writer with where it stands: its site, else the place that its id spells. */
interface Written { readonly writer: ReviewWriter; readonly fn: string; readonly file: string; readonly line: number }

/** How state targets moved: writers that came or went, guards and locks that were dropped or added. Writers are known by their function. */
export function targetChanges(head: Review, base: Review, lines: BaseLines): ProtocolChange[] {
  const { pairs, gained, lost } = pairUp(head.targets, base.targets, [({ name }) => name]);
  const [now, then] = [sitesOf(head), sitesOf(base)];
  return [
    ...pairs.flatMap((pair) => movedTarget(pair.now, pair.then, { now, then, lines })),
    ...gained.flatMap((target) => movedTarget(target, { ...target, writers: [], conflicts: [] }, { now, then, lines })),
    ...lost.flatMap((target) => movedTarget({ ...target, writers: [], conflicts: [] }, target, { now, then, lines })),
  ];
}

interface Around { readonly now: ReadonlyMap<string, ReviewSite>; readonly then: ReadonlyMap<string, ReviewSite>; readonly lines: BaseLines }

function movedTarget(head: ReviewTarget, base: ReviewTarget, { now, then, lines }: Around): ProtocolChange[] {
  const change = (what: string, effect: ProtocolChange['effect'], { file, line }: { readonly file: string; readonly line: number }): ProtocolChange => ({ subject: head.name, kind: 'target', what, effect, file, line });
  const inHead = head.writers.map((writer) => written(writer, now));
  const inBase = base.writers.map((writer) => written(writer, then));
  const fileOf = ({ file }: Written, side: 'head' | 'base'): string => (side === 'head' ? file : lines.path(file) ?? file);
  const { pairs, gained, lost } = pairUp(inHead, inBase, [
    (w, side) => `${fileOf(w, side)} ${w.fn} ${w.writer.from} ${w.writer.to}`,
    (w) => `${w.fn} ${w.writer.from} ${w.writer.to}`,
    (w, side) => `${fileOf(w, side)} ${w.fn} ${w.writer.to}`,
    (w, side) => `${fileOf(w, side)} ${w.fn}`,
  ]);
  const found = pairs.flatMap(({ now: w, then: before }): ProtocolChange[] => [
    ...(w.writer.from === before.writer.from && w.writer.to === before.writer.to ? [] : [change(`\`${w.fn}\` moves ${move(w.writer)}, before ${move(before.writer)}`, 'different', w)]),
    ...guardChange(w, before, change),
    ...lockChange(w, before, change),
  ]);
  found.push(...gained.map((w) => change(`writer gained: \`${w.fn}\` (${move(w.writer)}; guard ${w.writer.guard}; lock ${w.writer.lock})`, isBare(w.writer) ? 'weaker' : 'different', w)));
  found.push(...lost.map((w) => change(`writer lost: \`${w.fn}\` (${move(w.writer)})`, 'different', w)));
  const overlaps = head.conflicts.length - base.conflicts.length;
  const first = inHead[0] ?? inBase[0];
  if (overlaps !== 0 && first !== undefined && head.writers.length > 0 && base.writers.length > 0) {
    found.push(change(`pairs of writers that can overlap: ${String(base.conflicts.length)} to ${String(head.conflicts.length)}`, overlaps > 0 ? 'weaker' : 'stronger', first));
  }
  return found;
}

type Change = (what: string, effect: ProtocolChange['effect'], at: Written) => ProtocolChange;

function guardChange(w: Written, before: Written, change: Change): ProtocolChange[] {
  const [from, to] = [grade(before.writer.guard), grade(w.writer.guard)];
  if (from === to || (from === undefined && to === undefined)) return [];
  if (from === undefined || to === undefined) return [change(`guard of \`${w.fn}\`: ${before.writer.guard} to ${w.writer.guard}`, to === undefined ? 'weaker' : 'different', w)];
  // From grade 2 on the state itself is part of the condition, or the code around it is.
  const verb = to < from ? (to <= 1 && from >= 2 ? 'dropped' : 'weakened') : (from <= 1 && to >= 2 ? 'added' : 'strengthened');
  return [change(`guard ${verb} in \`${w.fn}\`: ${before.writer.guard} to ${w.writer.guard}`, to < from ? 'weaker' : 'stronger', w)];
}

function lockChange(w: Written, before: Written, change: Change): ProtocolChange[] {
  const [from, to] = [before.writer.lock, w.writer.lock];
  if (from === to || (isNone(from) && isNone(to))) return [];
  if (isNone(to)) return [change(`lock \`${from}\` dropped in \`${w.fn}\``, 'weaker', w)];
  if (isNone(from)) return [change(`lock \`${to}\` added in \`${w.fn}\``, 'stronger', w)];
  const isPart = (lock: string): boolean => /^(?:of something else|perhaps of another row|of some callers only): /.test(lock);
  return [change(`lock of \`${w.fn}\`: \`${from}\` to \`${to}\``, isPart(to) && !isPart(from) ? 'weaker' : isPart(from) && !isPart(to) ? 'stronger' : 'different', w)];
}

function isNone(lock: string): boolean {
  return lock === 'none' || lock === 'none in sight';
}

/** Neither a lock nor a condition on the state. */
function isBare({ lock, guard }: ReviewWriter): boolean {
  return isNone(lock) && (grade(guard) ?? 0) <= 1;
}

function grade(guard: string): number | undefined {
  const digits = /^grade (\d)/.exec(guard)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function move({ from, to }: ReviewWriter): string {
  return `${from} -> ${to}`;
}

function sitesOf({ sites }: Review): ReadonlyMap<string, ReviewSite> {
  return new Map(sites.map((site) => [site.id, site]));
}

/** A call that stands for a store's write may be no site of its own: then its id tells the place. */
function written(writer: ReviewWriter, sites: ReadonlyMap<string, ReviewSite>): Written {
  const site = sites.get(writer.site);
  if (site !== undefined) return { writer, fn: site.name, file: site.file, line: site.line };
  const { file, line } = /^(?<file>.*):(?<line>\d+):\d+(?:#\d+)?$/.exec(writer.site)?.groups ?? {};
  return { writer, fn: '<module>', file: file ?? writer.site, line: Number(line ?? 1) };
}
