import type ts from 'typescript';
import type { AcquireOperation, ExtendOperation } from '../operations/operation.js';
import type { Place } from '../place.js';
import { shownCall, shownCode } from '../syntax/shown-code.js';
import type { Unit } from '../syntax/unit.js';
import { electionsOf } from '../time/election.js';
import { signalUse, unaskedSignal, type SignalUse } from '../time/loss-signal.js';
import { lostHandler } from '../time/lost-handler.js';
import { unheardAbort } from '../time/unheard-abort.js';

/** How code learns that a lock is lost, and what it does with that. */
export type LossFacts =
  /** A signal that its section or its function gets. `step`: the first effect after a wait, or the place that heeds it. */
  | { readonly kind: 'signal'; readonly use: SignalUse['kind']; readonly name: string; readonly step: Place; readonly text: string }
  /** A handler the lock was made with. */
  | { readonly kind: 'handler'; readonly heeds: boolean | undefined; readonly place: Place }
  /** Leadership: what goes on without end, and what the loss starts. */
  | { readonly kind: 'election'; readonly endless: Place | undefined; readonly text: string; readonly lost: Place | undefined; readonly lostActs: boolean };

export function lossOfAcquire(unit: Unit, acquire: AcquireOperation): LossFacts | undefined {
  const election = electionsOf(unit).find((e) => e.operation.node === acquire.node);
  if (election !== undefined) {
    const { endless, lost, lostActs } = election;
    return { kind: 'election', endless: endless && unit.placeOf(endless), text: endless === undefined ? '' : shown(unit, endless), lost: lost && unit.placeOf(lost), lostActs };
  }
  const use = signalUse(unit, acquire) ?? (acquire.scope === 'callback' ? undefined : unaskedSignal(unit, acquire) ?? unheardAbort(unit, acquire));
  if (use !== undefined) return signalFacts(unit, use);
  const handler = lostHandler(unit, acquire);
  return handler && { kind: 'handler', heeds: handler.acts === 'unknown' ? undefined : handler.acts !== 'logged', place: unit.placeOf(handler.node) };
}

export function lossOfRenewal(unit: Unit, extension: ExtendOperation): LossFacts | undefined {
  const use = unaskedSignal(unit, extension);
  return use && signalFacts(unit, use);
}

function signalFacts(unit: Unit, use: SignalUse): LossFacts {
  return { kind: 'signal', use: use.kind, name: use.name, step: unit.placeOf(use.node), text: shown(unit, use.node) };
}

function shown(unit: Unit, node: ts.Node): string {
  const { ts } = unit;
  const text = node.getText(unit.file);
  if (ts.isIterationStatement(node, false)) return shownCode(text.slice(0, node.statement.pos - node.getStart(unit.file)), 40) || 'do';
  return ts.isCallExpression(node) ? shownCall(text, node.expression.getText(unit.file), 40) : shownCode(text, 40);
}
