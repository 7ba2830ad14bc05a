import type ts from 'typescript';
import { memberOf, present, typeOf } from '../syntax/declared-type.js';
import { bare, nameText, settled } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { lockCall } from './lock-call.js';
import { redlockHandleCall } from './lock-packages.js';
import { isHandle } from './lock-result.js';
import { slotsOf, ttlOf } from './lock-slots.js';
import { lockRole, namesHeldLock } from './lock-words.js';
import type { AcquireOperation, Operation } from './operation.js';

/** `handle.release()`, `handle.extend(ttl)`: methods of what an acquire gave. */
export function handleCall(unit: Unit, call: ts.CallExpression, callee: ts.PropertyAccessExpression): Operation | undefined {
  const method = callee.name.text;
  const role = lockRole(method);
  if (role === undefined || role === 'acquire') return undefined;
  const on = bare(unit, callee.expression);
  const from = acquireOf(unit, on);
  if (from?.api.startsWith('redlock.') === true) return redlockHandleCall(unit, call, on, method, from?.key);
  if (from === undefined && !isDeclaredHandle(unit, on)) return undefined;
  const handle = termOf(unit, on);
  const base = {
    node: call, api: method, key: from?.key ?? handle, handle, evidence: from?.evidence ?? 'declared', receiver: handle, owner: undefined, ownerSlot: 'none' as const, ownerCheck: 'contract' as const,
    link: 'handle' as const,
  };
  if (role === 'release') return { ...base, kind: 'release', ifNotHeld: 'harmless' };
  const type = present(memberOf(present(typeOf(unit, on)), method));
  const slots = type.kind === 'function' ? slotsOf(type.signature) : undefined;
  return { ...base, kind: 'extend', recreates: false, ttl: ttlOf(unit, call, slots?.ttl ?? slots?.first) };
}

/** `const release = await lock(key, ttl)` and then `release()`. */
export function releaseFunctionCall(unit: Unit, call: ts.CallExpression, callee: ts.Identifier): Operation | undefined {
  const binding = unit.scopes.resolve(callee);
  const from = binding && acquireOfBinding(unit, binding, 0);
  if (from === undefined || from.link !== 'handle') return undefined;
  const type = present(typeOf(unit, callee));
  const isMember = binding !== undefined && unit.ts.isBindingElement(binding.declaration) && lockRole(nameText(unit, binding.declaration.propertyName ?? binding.declaration.name)) === 'release';
  const frees = from.frees !== undefined && binding !== undefined && placeInAnswer(unit, binding) === from.frees.at ? from.frees : undefined;
  if (!isMember && frees === undefined && type.kind !== 'function') return undefined;
  const handle = termOf(unit, callee);
  return {
    node: call, kind: 'release', api: callee.text, key: from.key, handle: isMember && handle.kind === 'path' ? handle.base : handle, evidence: from.evidence, receiver: undefined, owner: undefined,
    ownerSlot: 'none', ownerCheck: frees?.ownerCheck ?? 'contract', ifNotHeld: frees?.ifNotHeld ?? 'harmless', link: 'handle',
  };
}

/** Empty for a name that gets the whole answer, the index for `const [ok, release] = ..`. */
function placeInAnswer(unit: Unit, binding: Binding): string | undefined {
  const { ts } = unit;
  const d = binding.declaration;
  if (!ts.isBindingElement(d)) return '';
  return ts.isArrayBindingPattern(d.parent) ? String(d.parent.elements.indexOf(d)) : undefined;
}

/** A value that is called a lock, lease or held thing by its declared type and gives itself back. */
function isDeclaredHandle(unit: Unit, on: ts.Expression): boolean {
  const type = present(typeOf(unit, on));
  return type.kind === 'object' && type.name !== undefined && namesHeldLock(type.name) && isHandle(type);
}

/** The acquire whose result an expression is. What it gave stands for its key. */
export function acquireOf(unit: Unit, node: ts.Expression, depth = 0): AcquireOperation | undefined {
  const { ts } = unit;
  if (depth > 6) return undefined;
  const e = settled(unit, node);
  if (ts.isCallExpression(e)) {
    const operation = lockCall(unit, e);
    return operation?.kind === 'acquire' && operation.link === 'handle' && operation.scope !== 'callback' ? operation : undefined;
  }
  if (ts.isPropertyAccessExpression(e)) return acquireOf(unit, e.expression, depth + 1);
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  return binding && acquireOfBinding(unit, binding, depth + 1);
}

/** As `acquireOf`, for a name that may be a part of what was given. */
export function acquireOfName(unit: Unit, id: ts.Identifier): AcquireOperation | undefined {
  const binding = unit.scopes.resolve(id);
  const from = binding && acquireOfBinding(unit, binding, 0);
  return from?.link === 'handle' ? from : undefined;
}

function acquireOfBinding(unit: Unit, binding: Binding, depth: number): AcquireOperation | undefined {
  const { ts } = unit;
  let d: ts.Node = binding.declaration;
  while (ts.isBindingElement(d)) d = d.parent.parent;
  const values = ts.isVariableDeclaration(d) && d.initializer ? [d.initializer] : [];
  for (const w of binding.writes) if (ts.isBinaryExpression(w)) values.push(w.right);
  for (const v of values) {
    const found = acquireOf(unit, v, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
