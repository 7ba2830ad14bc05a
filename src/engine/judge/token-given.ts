import { resultNames } from '../flow/result-names.js';
import type { AcquireOperation } from '../operations/operation.js';
import { awaited } from '../syntax/declared-type.js';
import { calleeOf } from '../syntax/declared-callee.js';
import type { Term } from '../syntax/term.js';
import type { TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';

/** How an owner that a call hands over stands to the token that an acquire made and answered; `name` holds that token. */
export interface TokenGiven {
  readonly relation: 'equal' | 'different';
  readonly name: string;
}

/**
 * For an acquire that has no place for an owner and answers a text: `const token = await locks.acquire(key, ttl)`. Undefined where the answer is something else, where it has no
 * name of its own, or where `named` may be that token.
 */
export function tokenGiven(unit: Unit, { node, owner, hasOwnerSlot }: AcquireOperation, named: Term): TokenGiven | undefined {
  if (owner !== undefined || hasOwnerSlot || !unit.ts.isCallExpression(node)) return undefined;
  const result = calleeOf(unit, node)?.signature.result;
  if (result === undefined || !isText(awaited(result))) return undefined;
  const [only, ...others] = resultNames(unit, node);
  if (only === undefined || others.length > 0 || only.writes.length > 0) return undefined;
  // `this.token`, `job.token` may have been set to it.
  if (named.kind === 'symbol') return { relation: named.name === only.name ? 'equal' : 'different', name: only.name };
  return named.kind === 'call' && named.site === only.id.pos ? { relation: 'equal', name: only.name } : undefined;
}

function isText(type: TypeShape): boolean {
  const members = type.kind === 'union' ? type.members : [type];
  const rest = members.filter((m) => !(m.kind === 'primitive' && (m.name === 'null' || m.name === 'undefined')));
  return rest.length === 1 && rest[0]?.kind === 'primitive' && rest[0].name === 'string';
}
