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
  const first = call.arguments[0];
  if (first === undefined || call.arguments.some((a) => ts.isSpreadElement(a))) return undefined;
  const isRenewal = lockRole(name) === 'extend';
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

