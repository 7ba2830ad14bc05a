import type ts from 'typescript';
import { standingOf } from '../functions/connection-standing.js';
import { connectionOf } from '../operations/connection.js';
import { clientOfStatement } from '../operations/connection-client.js';
import { namesSession } from '../operations/message-call.js';
import type { Place, WitnessStep } from '../place.js';
import { reaches, within } from '../targets/accesses.js';
import { fileTransitions } from '../targets/file-transitions.js';
import { handleUses } from '../targets/handle-use.js';
import { messagesOf, type MessageOfRow } from '../targets/messages.js';
import { announces, isRelay } from '../targets/relay.js';
import { transactionsAround, type TransactionAround } from '../targets/transaction-around.js';
import type { Transition } from '../targets/transition.js';

/** How a written state and the messages about it stand to each other. */
export type Split =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly at: Place }
  /** One transaction carries both. */
  | { readonly kind: 'joined'; readonly at: Place }
  | Torn;
/**
 * `two-commits`: the row of the state and that of the event are committed apart. `uncommitted`: the message leaves while the transaction is open. `before`: it leaves
 * before the state is written. `after`: it leaves after the commit, where a crash in between loses it.
 */
export interface Torn {
  readonly kind: 'two-commits' | 'uncommitted' | 'before' | 'after';
  readonly at: Place;
  /** The line of the write, or of what opened the transaction. */
  readonly line: number;
  readonly sure: boolean;
  readonly witness: readonly WitnessStep[];
}

const ORDER: Readonly<Record<Split['kind'], number>> = { 'two-commits': 0, uncommitted: 1, before: 2, unknown: 3, after: 4, joined: 5, none: 6 };

/** The worst that the messages of one transition say; a doubtful `before` counts as less than what is sure. */
export function splitOf(transition: Transition): Split {
  const all = messagesOf(transition).map((message) => judged(transition, message));
  return all.sort((a, b) => rank(a) - rank(b))[0] ?? { kind: 'none' };
}

function rank(split: Split): number {
  return ORDER[split.kind] + ('sure' in split && !split.sure ? 3.5 : 0);
}

function judged(transition: Transition, message: MessageOfRow): Split {
  const { unit, write } = transition;
  const at = unit.placeOf(message.node);
  if (inOneBatch(transition, message)) return { kind: 'joined', at };
  const around = transactionsAround(unit, write.node);
  const own = around.find((t) => t.handle !== undefined && uses(transition, t, write.node));
  if (own !== undefined && uses(transition, own, message.node)) return { kind: 'joined', at };
  // The context carries the transaction.
  if (own === undefined && around.some((t) => t.handle === undefined)) return { kind: 'unknown', at };
  return message.kind === 'row' ? row(transition, message, own) : leaving(transition, message, own);
}

function uses({ unit }: Transition, { handle }: TransactionAround, node: ts.Node): boolean {
  return handle !== undefined && handleUses(unit, handle, node.pos, node.end).length > 0;
}

function inOneBatch({ unit, write }: Transition, message: MessageOfRow): boolean {
  return fileTransitions(unit).accesses.some((a) => a.kind === 'transaction' && a.body === undefined && within(write.node, a.node) && within(message.node, a.node));
}

function row(transition: Transition, message: MessageOfRow, own: TransactionAround | undefined): Split {
  const { unit, write, through } = transition;
  const at = unit.placeOf(message.node);
  if (through !== undefined || message.client === undefined) return { kind: 'unknown', at };
  if (message.session !== undefined && unit.ts.isCallExpression(write.node)) return bySession(transition, message, message.session, namesSession(write.node));
  const isMessageApart = connectionOf(message.clientUnit, message.client).kind === 'pool';
  if (own !== undefined) return isMessageApart ? torn(transition, message, 'two-commits') : { kind: 'unknown', at };
  const on = clientOfStatement(unit, write.node, write.layer);
  const standing = on?.kind === 'on' ? standingOf(unit, write.node, on.client) : undefined;
  if (standing?.kind !== 'pool' || standing.assumed) return { kind: 'unknown', at };
  const isMessageInTransaction = transactionsAround(unit, message.node).some((t) => uses(transition, t, message.node));
  return isMessageApart || isMessageInTransaction ? torn(transition, message, 'two-commits') : { kind: 'unknown', at };
}

/** Documents share a transaction by the session both name. A helper may name it for the other. */
function bySession(transition: Transition, message: MessageOfRow, ofMessage: boolean, ofWrite: boolean): Split {
  const at = transition.unit.placeOf(message.node);
  if (ofMessage && ofWrite) return { kind: 'joined', at };
  return message.inside === undefined ? torn(transition, message, 'two-commits') : { kind: 'unknown', at };
}

function leaving(transition: Transition, message: MessageOfRow, own: TransactionAround | undefined): Split {
  const { unit, write, grade } = transition;
  if (own !== undefined && message.node.pos >= own.from && message.node.end <= own.to) return torn(transition, message, 'uncommitted', own.opened);
  if (message.order === 'after') return torn(transition, message, 'after');
  if (isRelay(transition)) return { kind: 'none' };
  // What the write takes from the message's answer (the id of the job) has to come second.
  const needsAnswer = write.set.some((a) => a.node !== undefined && reaches(unit, a.node, (n) => n === message.node));
  return torn(transition, message, 'before', undefined, !needsAnswer && announces(unit, message, grade.to));
}

function torn({ unit, write }: Transition, message: MessageOfRow, kind: Torn['kind'], opened?: ts.Node, sure = kind !== 'after'): Torn {
  const at = unit.placeOf(message.node);
  const written = unit.placeOf(write.node);
  const open: WitnessStep[] = opened === undefined ? [] : [{ place: unit.placeOf(opened), role: 'enter', note: 'the transaction is open' }];
  const sent: WitnessStep = { place: at, role: 'call', note: kind === 'two-commits' ? 'the event is committed on its own' : 'the message is out' };
  const stored: WitnessStep = { place: written, role: 'write', note: 'the state is written' };
  const steps = message.order === 'before' ? [sent, stored] : [stored, sent];
  return { kind, at, line: opened === undefined ? written.line : unit.placeOf(opened).line, sure, witness: [...open, ...steps] };
}
