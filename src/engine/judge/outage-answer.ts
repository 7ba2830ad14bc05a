import { returnedValue, returnOf } from '../functions/wrapper-form.js';
import type { World } from '../flow/simulate.js';
import type { AcquireOperation } from '../operations/operation.js';
import { constant, type Value } from '../operations/value.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/** What the answer of a store says of its error: the one it gives for a lock that is taken is compared by it. */
const TELLING = /\.(?:code|errno|name|status|statusCode|constraint)$/;

/**
 * What a path answers after the store has failed. `return err.code !== 11000` compares the error with the one that a taken lock gives: an outage gives another, so that
 * the comparison is decided.
 */
export function outageAnswer(unit: Unit, acquire: AcquireOperation, world: World): Value {
  const { ts } = unit;
  const value = returnedValue(unit, acquire, world);
  const returned = value.kind === 'unknown' ? returnOf(unit, world)?.value : undefined;
  if (returned === undefined || !isInCatch()) return value;
  const e = bare(unit, returned);
  if (!ts.isBinaryExpression(e) || ![e.left, e.right].some((x) => TELLING.test(bare(unit, x).getText(unit.file))) || ![e.left, e.right].some((x) => ts.isLiteralExpression(bare(unit, x)))) return value;
  const K = ts.SyntaxKind;
  if (e.operatorToken.kind === K.ExclamationEqualsEqualsToken || e.operatorToken.kind === K.ExclamationEqualsToken) return constant(true);
  return e.operatorToken.kind === K.EqualsEqualsEqualsToken || e.operatorToken.kind === K.EqualsEqualsToken ? constant(false) : value;

  function isInCatch(): boolean {
    for (let n = returned?.parent; n && !ts.isFunctionLike(n); n = n.parent) if (ts.isCatchClause(n)) return true;
    return false;
  }
}
