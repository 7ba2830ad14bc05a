import type ts from 'typescript';
import type { AcquireOperation, Operation, ReleaseOperation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { shownCall, shownCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { heldSection } from '../time/held-section.js';
import { renewedBy } from '../time/renewed.js';
import { leaseMilliseconds, runCap, type RunCap } from '../time/run-cap.js';
import { timeOf } from '../time/section-time.js';
import type { KnownStep, OpenLoop, Spent, Work } from '../time/spent.js';

/** A step under the lock, for people. */
export interface LeaseStep {
  readonly place: Place;
  readonly text: string;
}

/** What the code tells of how long one lock is held, and of what keeps it alive. */
export interface LeaseTime {
  /** Milliseconds that a grant lasts; undefined where the code does not tell. */
  readonly ttlMs: number | undefined;
  readonly renewal: { readonly kind: 'library' | 'seen' | 'perhaps'; readonly place: Place } | undefined;
  /** The longest way through the section as far as constants tell; undefined where the section cannot be read. */
  readonly section: LeaseSection | undefined;
  /** The platform ends the whole function after this time. */
  readonly cap: RunCap | undefined;
}
export interface LeaseSection {
  readonly ms: number;
  readonly steps: readonly (LeaseStep & { readonly kind: KnownStep['kind']; readonly ms: number; readonly inner: Place | undefined })[];
  readonly loops: readonly (LeaseStep & Pick<OpenLoop, 'kind' | 'work'>)[];
  readonly open: readonly (LeaseStep & { readonly work: Work })[];
  /** Something in sight may end it in time: a clock, a deadline, a signal. */
  readonly watched: boolean;
}

export function leaseTime(unit: Unit, acquire: AcquireOperation, onSameKey: readonly Operation[]): LeaseTime {
  const renewal = renewedBy(unit, acquire, onSameKey);
  return {
    ttlMs: leaseMilliseconds(unit, acquire),
    renewal: renewal && { kind: renewal.kind, place: renewal.unit.placeOf(renewal.node) },
    section: renewal === undefined ? sectionOf() : undefined,
    cap: runCap(unit, acquire.node),
  };

  function sectionOf(): LeaseSection | undefined {
    const section = heldSection(unit, acquire, onSameKey.filter((o): o is ReleaseOperation => o.kind === 'release'));
    if (section === undefined) return undefined;
    const own = new Set<ts.Node>([acquire.node, ...onSameKey.map((o) => o.node)]);
    // A loop around the acquire takes the lock anew in each round.
    return leaseSection(unit, timeOf({ ...section, skips: (call) => own.has(call) }, section.fn, section.isCallback), isAround);
  }

  function isAround(loop: ts.Node): boolean {
    return acquire.node.pos >= loop.pos && acquire.node.end <= loop.end && loop.getSourceFile() === unit.file;
  }
}

/** What is spent, for people. `isLeftOut`: loops that are no part of it. */
export function leaseSection(unit: Unit, spent: Spent, isLeftOut: (loop: ts.Node) => boolean): LeaseSection {
  return {
    ms: spent.ms,
    steps: spent.steps.map((s) => ({ ...shown(unit, s.node), kind: s.kind, ms: s.ms, inner: s.inner === undefined || s.inner.node === s.node ? undefined : s.inner.unit.placeOf(s.inner.node) })),
    loops: spent.loops.filter((l) => !isLeftOut(l.node)).map((l) => ({ ...shown(unit, l.node), kind: l.kind, work: l.work })),
    open: spent.open.map((o) => ({ ...shown(unit, o.node), work: o.work })),
    watched: spent.watched,
  };
}

function shown(unit: Unit, node: ts.Node): LeaseStep {
  const { ts } = unit;
  const text = node.getText(unit.file);
  if (ts.isForOfStatement(node)) return { place: unit.placeOf(node), text: `for … of ${shownCode(node.expression.getText(unit.file), 40)}` };
  if (ts.isIterationStatement(node, false)) return { place: unit.placeOf(node), text: shownCode(unit.textBetween(node.getStart(unit.file), ts.isDoStatement(node) ? node.getStart(unit.file) + 2 : node.statement.pos), 50) };
  return { place: unit.placeOf(node), text: ts.isCallExpression(node) ? shownCall(text, node.expression.getText(unit.file), 40) : shownCode(text, 40) };
}
