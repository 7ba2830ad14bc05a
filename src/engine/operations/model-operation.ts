import type ts from 'typescript';
import type { LockModel, LockOperationModel, TtlModel } from '../models.js';
import { namedUnit } from '../syntax/named-unit.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { acquireOf } from './lock-handle.js';
import { scopeOf } from './lock-records.js';
import { modelCall } from './model-call.js';
import { modelledForm } from './model-result.js';
import { receiverTerm, slotTermAt, slotValueAt } from './model-slots.js';
import type { AcquireOperation, Operation, TtlGiven } from './operation.js';
import { UNKNOWN_FORM, type ResultForm } from './result-form.js';

/** A call that is known to be an operation of a model. */
export interface ModelledCall {
  readonly unit: Unit;
  readonly call: ts.CallExpression;
  readonly model: LockModel;
  readonly op: LockOperationModel;
  /** The name it goes by, for people. */
  readonly api: string;
  /** How it answers by its declaration, where the model leaves that out. */
  readonly declared?: ResultForm;
  /** Whether what it gives is given back, where that is known of this operation alone. */
  readonly givesHandle?: boolean;
}

/** The operation a modelled call is. Undefined where the call hides what the model needs. */
export function modelledOperation(at: ModelledCall): Operation | undefined {
  return at.op.op === 'acquire' || at.op.op === 'run' ? acquire(at) : giveBack(at);
}

function acquire({ unit, call, model, op, api, declared, givesHandle = modelGivesHandle(model) }: ModelledCall): AcquireOperation | undefined {
  const receiver = receiverTerm(unit, call);
  const key = op.key === undefined ? receiver ?? nameOf(model) : slotTermAt(unit, call, op.key);
  if (key === undefined) return undefined;
  const taken = {
    node: call, kind: 'acquire' as const, api, key, evidence: 'declared' as const, model: model.id, receiver, owner: slotTermAt(unit, call, op.owner), hasOwnerSlot: op.owner !== undefined,
    ttl: ttlAt(unit, call, op.ttl), bare: false, result: op.result === undefined ? declared ?? UNKNOWN_FORM : modelledForm(op.result), ...(op.renews === undefined ? {} : { renews: op.renews }),
  };
  if (op.op === 'acquire') return { ...taken, link: givesHandle ? 'handle' : linkOf(op), scope: scopeOf(unit, call) };
  const body = slotValueAt(unit, call, op.body ?? 'arg#fn');
  return body === undefined || body === 'missing' || body.node === undefined ? undefined : { ...taken, link: linkOf(op), scope: 'callback', body: body.node };
}

function giveBack({ unit, call, model, op, api }: ModelledCall): Operation | undefined {
  const receiver = receiverTerm(unit, call);
  const handle = op.handle === undefined ? undefined : slotValueAt(unit, call, op.handle);
  if (handle === 'missing' || (op.handle !== undefined && handle === undefined)) return undefined;
  const grant = handle?.node && acquireOf(unit, handle.node);
  const key = grant?.key ?? handle?.term ?? (op.key === undefined ? receiver ?? nameOf(model) : slotTermAt(unit, call, op.key));
  if (key === undefined) return undefined;
  const owner = op.owner === undefined ? undefined : slotValueAt(unit, call, op.owner);
  const ownerSlot = op.owner === undefined ? 'none' as const : owner === 'missing' ? 'missing' as const : 'given' as const;
  const link = handle === undefined ? linkOf(op) : 'handle' as const;
  return rolled({ unit, call, op, api, model }, {
    node: call, api, key, evidence: 'declared', model: model.id, receiver, link, handle: handle?.term, ownerSlot, owner: owner === undefined || owner === 'missing' ? undefined : owner.term,
  });
}

/** `handle.giveBack()`, or `giveBack()` where the acquire gave a function. */
export function givenBack(at: ModelledCall, from: AcquireOperation, handle: Term): Operation {
  return rolled(at, { node: at.call, api: at.api, key: from.key, evidence: from.evidence, model: at.model.id, receiver: handle, link: 'handle', handle, ownerSlot: 'none', owner: undefined });
}

type Base = Pick<Extract<Operation, { kind: 'release' }>, 'node' | 'api' | 'key' | 'evidence' | 'model' | 'receiver' | 'link' | 'handle' | 'ownerSlot' | 'owner'>;

function rolled({ unit, call, op }: ModelledCall, base: Base): Operation {
  const isChecked = op.ownerCheck === 'atomic' || (op.ownerCheck === undefined && (base.ownerSlot === 'given' || base.link === 'handle'));
  const ownerCheck = isChecked ? 'contract' as const : op.ownerCheck ?? 'unknown' as const;
  if (op.op === 'extend') return { ...base, kind: 'extend', ownerCheck, recreates: false, ttl: ttlAt(unit, call, op.ttl) };
  return { ...base, kind: 'release', ownerCheck, ifNotHeld: op.ifNotHeld ?? (isChecked ? 'harmless' : 'unknown') };
}

function linkOf(op: LockOperationModel): 'key' | 'receiver' {
  return op.key === undefined ? 'receiver' : 'key';
}

/** A lock that has neither a key nor an object is one in all. */
function nameOf(model: LockModel): Term {
  return { kind: 'const', value: model.id };
}

function modelGivesHandle(model: LockModel): boolean {
  return model.operations.some((o) => o.handle !== undefined || modelCall(o.call).type === '');
}

function ttlAt(unit: Unit, call: ts.CallExpression, ttl: TtlModel | undefined): TtlGiven {
  if (ttl === undefined) return { kind: 'open' };
  if (typeof ttl === 'string') return absent(ttl);
  const value = slotValueAt(unit, call, ttl.at);
  if (value === undefined) return { kind: 'open' };
  if (value === 'missing') return ttl.default === undefined ? { kind: 'open' } : absent(ttl.default);
  return { kind: 'given', ttl: { term: value.term, node: value.node, unit: ttl.unit, named: namedUnit(unit, value.node) } };
}

function absent(ttl: 'none' | 'library'): TtlGiven {
  return ttl === 'none' ? { kind: 'none' } : { kind: 'lapses-otherwise' };
}
