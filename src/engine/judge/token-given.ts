import { resultNames } from '../flow/result-names.js';
import type { AcquireOperation } from '../operations/operation.js';
import { awaited } from '../syntax/declared-type.js';
import { calleeOf } from '../syntax/declared-callee.js';
import type { Term } from '../syntax/term.js';
import type { TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';

/**
 * The name that holds the token of an acquire which makes it and answers it: `const token = await locks.acquire(key, ttl)`. Undefined where the answer is no text, where it
 * has no name of its own, or where `named`, the owner that another call hands over, may be that token.
 */
export function tokenGivenInstead(unit: Unit, { node, owner, hasOwnerSlot }: AcquireOperation, named: Term): string | undefined {
  if (owner !== undefined || hasOwnerSlot || !unit.ts.isCallExpression(node) || (named.kind !== 'symbol' && named.kind !== 'path')) return undefined;
  const result = calleeOf(unit, node)?.signature.result;
  if (result === undefined || !isText(awaited(result))) return undefined;
  const [only, ...others] = resultNames(unit, node);
  return only === undefined || others.length > 0 || only.writes.length > 0 || mayBe(named, only.name) ? undefined : only.name;
}

function isText(type: TypeShape): boolean {
  const members = type.kind === 'union' ? type.members : [type];
  const rest = members.filter((m) => !(m.kind === 'primitive' && (m.name === 'null' || m.name === 'undefined')));
  return rest.length === 1 && rest[0]?.kind === 'primitive' && rest[0].name === 'string';
}

/** `this.token`, `job.token`: may have been set to it. */
function mayBe(named: Term, name: string): boolean {
  return named.kind !== 'symbol' || named.name === name;
}
