import type ts from 'typescript';
import { calleeOf, typeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { callbackCall } from './lock-callback.js';
import { handleCall, releaseFunctionCall } from './lock-handle.js';
import { importedLockCall } from './lock-imported.js';
import { modelledLockCall } from './lock-model-call.js';
import { toldLockCall } from './lock-modelled.js';
import { packageLockCall } from './lock-packages.js';
import { functionProtocol, methodProtocol } from './lock-protocol.js';
import { recordOf } from './lock-records.js';
import { rpcLockCall } from './lock-rpc.js';
import { taggedLockCall } from './lock-tagged.js';
import { mentionsLock } from './lock-text.js';
import { lockRole, speaksOfLocks } from './lock-words.js';
import type { Operation } from './operation.js';
import { Kept, KeptByName } from '../kept.js';

/**
 * A call as an operation of a lock API: of one that the user modelled or tagged, of a package that is known, of a declared type with the shape of a lock, of a plain declared function, or of
 * what an acquire gave. Raw Redis commands are read elsewhere. Undefined in doubt.
 */
export function lockCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  let known = answers.get(unit);
  if (known === undefined) answers.set(unit, (known = new KeptByName()));
  if (known.has(call)) return known.get(call);
  // Asked again while it is being answered: a handle that is made of itself.
  known.set(call, undefined);
  const operation = read(unit, call);
  known.set(call, operation);
  return operation;
}

const answers = new Kept<Unit, KeptByName<ts.CallExpression, Operation | undefined>>();

function read(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const told = toldLockCall(unit, call) ?? taggedLockCall(unit, call);
  if (told !== undefined) return told;
  if (ts.isPropertyAccessExpression(callee)) return packageLockCall(unit, call, callee) ?? modelledLockCall(unit, call) ?? rpcLockCall(unit, call) ?? methodCall(unit, call, callee) ?? handleCall(unit, call, callee) ?? callbackCall(unit, call);
  if (!ts.isIdentifier(callee)) return undefined;
  return modelledLockCall(unit, call) ?? functionCall(unit, call, callee) ?? releaseFunctionCall(unit, call, callee) ?? callbackCall(unit, call);
}

/** Asked before any type is resolved, which may mean to read other files. A function of another name has to give a lease, so that a file that uses it speaks of one. */
function mayBeLockCall(unit: Unit, call: ts.CallExpression, name: string): boolean {
  return lockRole(name) !== undefined || ((call.arguments.length > 1 || speaksOfLocks(name) || (call.arguments.length === 1 && TABLE_VERB.test(name))) && mentionsLock(unit));
}

/** What a table of locks may call its taking and giving back. */
const TABLE_VERB = /^(?:try)?(?:insert|create|add|put|open|enter|start|begin|get|hold|book|remove|delete|close|end|discard|return|clear)(?![a-z])/i;

function methodCall(unit: Unit, call: ts.CallExpression, callee: ts.PropertyAccessExpression): Operation | undefined {
  const name = callee.name.text;
  if (!mayBeLockCall(unit, call, name)) return undefined;
  const owner = calleeOf(unit, call)?.owner;
  const protocol = owner && methodProtocol(owner, name);
  return protocol && recordOf({ unit, call, receiver: termOf(unit, callee.expression), evidence: 'declared' }, protocol);
}

function functionCall(unit: Unit, call: ts.CallExpression, callee: ts.Identifier): Operation | undefined {
  if (!mayBeLockCall(unit, call, callee.text)) return undefined;
  const type = typeOf(unit, callee);
  if (type.kind === 'named') return importedLockCall(unit, call, callee);
  const target = calleeOf(unit, call);
  // A body that can be read says more than a name.
  if (target === undefined || target.body !== undefined) return undefined;
  const protocol = functionProtocol(unit, call, callee.text, target.signature);
  if (protocol === undefined || (protocol.method.role === 'acquire' && protocol.releases.length === 0 && lockRole(callee.text) !== undefined && !speaksOfLocks(callee.text))) return undefined;
  return recordOf({ unit, call, receiver: undefined, evidence: 'declared' }, protocol);
}
