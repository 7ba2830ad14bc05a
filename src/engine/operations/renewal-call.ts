import type ts from 'typescript';
import { calleeOf, memberNames, memberOf, present } from '../syntax/declared-type.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { SignatureParameter } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';
import { slotsOf, ttlOf } from './lock-slots.js';
import { lockRole } from './lock-words.js';
import type { ExtendOperation, LossHandler } from './operation.js';

/** Verbs that mean the renewal of something that runs out. The others (`touch`, `refresh`) have many meanings: there an owner has to be handed over too. */
const STRONG = /^(?:try)?(?:extend|renew|prolong|reacquire)/;

/**
 * A renewal of a lease on an object that shows no acquire: `store.renew(resource, owner, ttlMs)`, `queue.extend(jobs, ttlMs)`; and a helper that keeps a lease alive
 * and can tell of its loss: `startBeat(key, token, { onLost })`.
 */
export function renewalCall(unit: Unit, call: ts.CallExpression): ExtendOperation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  const own = ownRenewal(unit, call, name);
  if (own !== undefined) return own;
  const first = call.arguments[0];
  if (first === undefined || call.arguments.some((a) => ts.isSpreadElement(a))) return undefined;
  // `extendLocks(ids, tokens, ttlMs)` renews many at once.
  const isRenewal = lockRole(name) === 'extend' || (STRONG.test(name) && lockRole(name.replace(/s$/, '')) === 'extend');
  if (!isRenewal && !KEEPS.test(name)) return undefined;
  const target = calleeOf(unit, call);
  if (target === undefined || target.body !== undefined) return undefined;
  const slots = slotsOf(target.signature);
  const base = {
    node: call, kind: 'extend' as const, api: name, key: termOf(unit, first), evidence: 'name' as const, receiver: ts.isPropertyAccessExpression(callee) ? termOf(unit, callee.expression) : undefined,
    owner: undefined, ownerSlot: 'none' as const, ownerCheck: 'unknown' as const, recreates: false, link: 'key' as const, handle: undefined,
  };
  const onLoss = KEEPS.test(name) ? lossHandler(unit, call, target.signature.parameters) : undefined;
  if (onLoss !== undefined) return { ...base, ttl: { kind: 'open' }, onLoss };
  if (!isRenewal || slots.ttl === undefined || call.arguments.length < 2) return undefined;
  return STRONG.test(name) || slots.owner !== undefined ? { ...base, ttl: ttlOf(unit, call, slots.ttl) } : undefined;
}

/**
 * `this._refresh()` of a class that is a lock: it declares the renewal beside its acquire and release, and each kind of lock below it fills it in. What a body shows is
 * read from the body.
 */
function ownRenewal(unit: Unit, call: ts.CallExpression, name: string): ExtendOperation | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (call.arguments.length > 1 || !ts.isPropertyAccessExpression(callee) || callee.expression.kind !== ts.SyntaxKind.ThisKeyword || roleOfMember(name) !== 'extend') return undefined;
  const around = classAround(unit, call);
  const declared = (around?.members ?? []).filter((m) => ts.isMethodDeclaration(m) && m.body === undefined && ts.canHaveModifiers(m) && ts.getModifiers(m)?.some((x) => x.kind === ts.SyntaxKind.AbstractKeyword) === true);
  const roles = declared.map((m) => (m.name === undefined ? undefined : roleOfMember(m.name.getText(unit.file))));
  if (!declared.some((m) => m.name?.getText(unit.file) === name) || !roles.includes('acquire') || !roles.includes('release')) return undefined;
  return {
    node: call, kind: 'extend', api: name, key: termOf(unit, callee.expression), evidence: 'name', receiver: termOf(unit, callee.expression), owner: undefined, ownerSlot: 'none',
    ownerCheck: 'unknown', recreates: false, link: 'receiver', handle: undefined, ttl: { kind: 'open' },
  };
}

function roleOfMember(name: string): ReturnType<typeof lockRole> {
  return lockRole(name.replace(/^[_#]+|^do(?=[A-Z])/, '').replace(/^[A-Z]/, (c) => c.toLowerCase()));
}

function classAround({ ts }: Unit, node: ts.Node): ts.ClassLikeDeclaration | undefined {
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) if (ts.isClassLike(n)) return n;
  return undefined;
}

/** Functions that go on renewing by themselves. */
const KEEPS = /beat(?:ing|s)?$|heartbeat|keepAlive|keepalive|keep(?:ing)?(?:Lease|Lock)|auto(?:Renew|Extend|Refresh)|(?:start|begin|run|with)\w*(?:Renew|Extend|Refresh|Lease|Watchdog)\w*|watchdog/i;
const LOSS = /^on(?:Lock|Lease)?(?:Lost|Loss|Lose|Expired?|Deposed|Lapsed?|Revoked|Stolen|Gone)$|^(?:lost|onRenewalFailed|onExtendFailed)$/;

/** What the call gives for the handler that its declaration takes for a loss; undefined where the declaration takes none. */
function lossHandler(unit: Unit, call: ts.CallExpression, parameters: readonly SignatureParameter[]): LossHandler | undefined {
  const { ts } = unit;
  for (const [i, p] of parameters.entries()) {
    const type = present(p.type);
    const given = call.arguments[i];
    if (LOSS.test(p.name) && type.kind === 'function') return { name: p.name, given };
    if (type.kind !== 'object') continue;
    const member = memberNames(type).find((m) => LOSS.test(m) && present(memberOf(type, m)).kind === 'function');
    if (member === undefined) continue;
    if (given === undefined) return { name: member, given: undefined };
    const object = followed(unit, given);
    if (!ts.isObjectLiteralExpression(object) || object.properties.some((q) => ts.isSpreadAssignment(q))) return undefined;
    const method = object.properties.find((q) => ts.isMethodDeclaration(q) && ts.isIdentifier(q.name) && q.name.text === member);
    return { name: member, given: method ?? propertyOf(unit, object, member) };
  }
  return undefined;
}

