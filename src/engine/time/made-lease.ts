import type ts from 'typescript';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { termMilliseconds } from './duration.js';
import { madeAt } from './lost-handler.js';

/** What the making of a lock object says of its lease. */
export interface MadeLease {
  /** Milliseconds; undefined where they are no constant, or where it never ends. */
  readonly ttlMs: number | undefined;
  readonly renews: boolean;
}

/** The lease of locks that know their TTL: `new Mutex(redis, key, { lockTimeout, refreshInterval })`, `verrou.createLock(key, '30s')`. Undefined for all others. */
export function madeLease(unit: Unit, { api, node }: AcquireOperation): MadeLease | undefined {
  const { ts } = unit;
  const callee = ts.isCallExpression(node) ? bare(unit, node.expression) : undefined;
  if (callee === undefined || !ts.isPropertyAccessExpression(callee)) return undefined;
  if (api.startsWith('verrou ')) {
    const made = followed(unit, callee.expression);
    const [, ttl] = ts.isCallExpression(made) ? made.arguments : [];
    return { renews: false, ttlMs: ttl === undefined ? 30_000 : termMilliseconds(termOf(unit, ttl), 1) };
  }
  if (!api.startsWith('redis-semaphore ')) return undefined;
  const options = (madeAt(unit, callee.expression)?.arguments ?? []).map((a) => (ts.isSpreadElement(a) ? a : followed(unit, a))).find((a) => ts.isObjectLiteralExpression(a));
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return { renews: true, ttlMs: undefined };
  const interval = option(options, 'refreshInterval');
  const isOff = interval?.kind === 'const' && interval.value === 0;
  const lasts = option(options, 'lockTimeout');
  return { renews: !isOff, ttlMs: lasts === undefined ? 10_000 : termMilliseconds(lasts, 1) };

  function option(object: ts.ObjectLiteralExpression, name: string): Term | undefined {
    const value = propertyOf(unit, object, name);
    return value && termOf(unit, value);
  }
}
