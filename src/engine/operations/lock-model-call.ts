import type ts from 'typescript';
import { typeOf } from '../syntax/declared-type.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { isOwnName } from '../syntax/named-function.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { LOCK_PACKAGES, type LockCallModel, type LockPackage, type LockSlot, type ModelResult } from './lock-models.js';
import { originOf, type Origin } from './lock-model-origin.js';
import { scopeOf } from './lock-records.js';
import type { AcquireOperation, Operation, TtlGiven } from './operation.js';
import { BOOLEAN_FORM, handleOrNothingForm, handleOrThrowsForm, VOID_OR_THROWS_FORM, type ResultForm } from './result-form.js';
import { array, constant, TRUTHY, UNKNOWN } from './value.js';
import { Kept } from '../kept.js';

const NAMES = new Set(LOCK_PACKAGES.flatMap((p) => p.calls.map((c) => c.name)));

/** A call of a library in the table of lock models. Undefined in doubt. */
export function modelledLockCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const packages = packagesOf(unit);
  if (packages.length === 0) return undefined;
  const site = siteOf(unit, call);
  if (site === undefined || !NAMES.has(site.name)) return undefined;
  for (const { packages: pattern, calls } of packages) {
    const model = calls.find((m) => m.name === site.name && leadsTo(m, site, pattern) && (m.needs === undefined || nodeAt(unit, call, site.origin, m.needs) !== undefined));
    if (model !== undefined) return operationOf(unit, call, site, model);
  }
  return undefined;
}

const known = new Kept<Unit, readonly LockPackage[]>();

/** The packages of the table that a file imports: all others are none of its business. */
function packagesOf(unit: Unit): readonly LockPackage[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const names = unit.saysAll(/(?:\bfrom|\bimport|\brequire\s*\()\s*\(?['"]([^'".][^'"]*)['"]/g);
  const found = LOCK_PACKAGES.filter((p) => names.some((n) => p.packages.test(n)));
  known.set(unit, found);
  return found;
}

interface CallSite { readonly name: string; readonly receiver: ts.Expression | undefined; readonly origin: Origin | undefined; readonly text: string }

function siteOf(unit: Unit, call: ts.CallExpression): CallSite | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isPropertyAccessExpression(callee)) {
    const receiver = callee.expression;
    return NAMES.has(callee.name.text) ? { name: callee.name.text, receiver, origin: originOf(unit, receiver), text: followed(unit, receiver).getText(unit.file) } : undefined;
  }
  if (!ts.isIdentifier(callee)) return undefined;
  if (isOwnName(unit, callee)) return undefined;
  const type = unit.scopes.resolve(callee)?.kind === 'import' ? typeOf(unit, callee) : undefined;
  if (type?.kind === 'named' && type.from !== undefined) return { name: type.name, receiver: undefined, origin: { from: type.from, path: '', calls: [] }, text: '' };
  const made = originOf(unit, callee);
  return made && { name: '', receiver: undefined, origin: made, text: '' };
}

function leadsTo(model: LockCallModel, { origin, text }: CallSite, packages: RegExp): boolean {
  if (model.on === undefined) return true;
  if (origin !== undefined && packages.test(origin.from) && model.on.test(origin.path)) return true;
  // `container.resolve(Modules.LOCKING)`: what a container gives has no type in sight.
  return /resolve\(/.test(text) && model.on.test(text);
}

function operationOf(unit: Unit, call: ts.CallExpression, { name, receiver: on, origin }: CallSite, model: LockCallModel): Operation | undefined {
  const receiver = on && termOf(unit, on);
  const keyNode = model.key && nodeAt(unit, call, origin, model.key);
  const key: Term | undefined = keyNode === undefined ? receiver : termOf(unit, keyNode);
  if (key === undefined) return undefined;
  const ownerNode = model.owner && nodeAt(unit, call, origin, model.owner);
  const isObject = model.key === undefined || model.key.startsWith('new.');
  const base = { node: call, api: name === '' ? calledName(unit, call) : name, key, evidence: 'model' as const, receiver, owner: ownerNode && termOf(unit, ownerNode) };
  const ttl = ttlOf(unit, call, origin, model);
  if (model.role === 'acquire' || model.role === 'run') {
    const result = model.result ?? 'throws';
    const frees = freesOf(result, model);
    const taken: AcquireOperation = {
      ...base, kind: 'acquire', hasOwnerSlot: model.owner !== undefined, ttl, bare: false, result: FORMS[result], link: /handle|release/.test(result) ? 'handle' : isObject ? 'receiver' : 'key',
      scope: scopeOf(unit, call), ...(frees === undefined ? {} : { frees }),
    };
    if (model.role === 'acquire') return taken;
    const body = call.arguments[model.body ?? 0];
    return body && { ...taken, scope: 'callback', body };
  }
  const handed = call.arguments[0];
  const handle = model.key !== undefined && isObject && handed !== undefined && model.role === 'release' ? termOf(unit, handed) : undefined;
  const given = {
    ...base, link: handle !== undefined ? 'handle' as const : isObject ? 'receiver' as const : 'key' as const, handle, ownerCheck: model.ownerCheck ?? 'contract' as const,
    ownerSlot: model.owner === undefined ? 'none' as const : ownerNode === undefined ? 'missing' as const : 'given' as const,
  };
  return model.role === 'release' ? { ...given, kind: 'release', ifNotHeld: model.ifNotHeld ?? 'unknown' } : { ...given, kind: 'extend', recreates: false, ttl };
}

const FORMS: Readonly<Record<ModelResult, ResultForm>> = {
  boolean: BOOLEAN_FORM,
  throws: VOID_OR_THROWS_FORM,
  'handle-or-throws': handleOrThrowsForm(),
  'handle-or-null': handleOrNothingForm('null'),
  'boolean-and-release': { label: '[acquired, release]', won: [array([constant(true), TRUTHY])], lost: [array([constant(false), UNKNOWN])], throwsWhenLost: false },
  'release-function': handleOrThrowsForm(),
};

function freesOf(result: ModelResult, model: LockCallModel): AcquireOperation['frees'] {
  const at = result === 'release-function' ? '' : result === 'boolean-and-release' ? '1' : undefined;
  return at === undefined ? undefined : { at, ownerCheck: model.ownerCheck ?? 'contract', ifNotHeld: 'harmless' };
}

function ttlOf(unit: Unit, call: ts.CallExpression, origin: Origin | undefined, { ttl }: LockCallModel): TtlGiven {
  if (ttl === undefined) return { kind: 'lapses-otherwise' };
  const node = nodeAt(unit, call, origin, ttl.at);
  if (node !== undefined) return { kind: 'given', ttl: { term: termOf(unit, node), node, unit: ttl.unit, named: namedUnit(unit, node), whole: true } };
  if (ttl.needed !== true) return { kind: 'lapses-otherwise' };
  return isOpen(unit, call, ttl.at) ? { kind: 'open' } : { kind: 'none' };
}

/** Options that are spread or built elsewhere may hold anything. */
function isOpen(unit: Unit, call: ts.CallExpression, slot: LockSlot): boolean {
  const { ts } = unit;
  const index = Number(slot.split('.')[1]);
  if (call.arguments.some((a) => ts.isSpreadElement(a))) return true;
  const given = call.arguments[index];
  const object = given && followed(unit, given);
  return object !== undefined && (!ts.isObjectLiteralExpression(object) || object.properties.some((p) => ts.isSpreadAssignment(p)));
}

/** The expression in a slot; undefined where the code leaves it out or hides it. */
function nodeAt(unit: Unit, call: ts.CallExpression, origin: Origin | undefined, slot: LockSlot): ts.Expression | undefined {
  const { ts } = unit;
  const [where, index, prop] = slot.split('.');
  const calls = origin?.calls ?? [];
  const holder = where === 'call' ? call : where === 'new' ? calls[0] : calls.find((c) => ts.isCallExpression(c) && calledName(unit, c) === where);
  const argument = holder?.arguments?.[Number(index)];
  if (argument === undefined || ts.isSpreadElement(argument)) return undefined;
  if (prop === undefined) return argument;
  const object = followed(unit, argument);
  return ts.isObjectLiteralExpression(object) ? propertyOf(unit, object, prop) : undefined;
}

function calledName(unit: Unit, call: ts.CallExpression): string {
  const callee = bare(unit, call.expression);
  return unit.ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText(unit.file);
}
