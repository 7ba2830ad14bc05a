import type ts from 'typescript';
import { bare } from './expression.js';
import type { Unit } from './unit.js';

export type TimeUnit = 'ms' | 's' | 'min' | 'h' | 'd';

/** The unit the name of a value promises: `ttlMs`, `LOCK_TTL_SECONDS`, `leaseMinutes`. Undefined for anything but a plain name: arithmetic may be the conversion. */
export function namedUnit(unit: Unit, node: ts.Expression | undefined): TimeUnit | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  const name = e === undefined ? '' : ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '';
  if (/(?:[a-z]Ms|_MS|^ms|[mM]illis(?:econds)?|MILLIS(?:ECONDS)?)$/.test(name)) return 'ms';
  if (/(?:[a-z]Secs?|_SECS?|^secs?|^seconds|[a-z]Seconds|_SECONDS)$/.test(name)) return 's';
  return COARSE.find(([pattern]) => pattern.test(name))?.[1];
}

const COARSE: readonly (readonly [RegExp, TimeUnit])[] = [
  [/(?:[a-z]Min(?:ute)?s|_MIN(?:UTE)?S|^min(?:ute)?s)$/, 'min'],
  [/(?:[a-z]Hours?|_HOURS|^hours)$/, 'h'],
  [/(?:[a-z]Days|_DAYS|^days)$/, 'd'],
];
