import type ts from 'typescript';
import { bare } from './expression.js';
import type { Unit } from './unit.js';

/** The unit the name of a value promises: `ttlMs`, `LOCK_TTL_SECONDS`. Undefined for anything but a plain name: arithmetic may be the conversion. */
export function namedUnit(unit: Unit, node: ts.Expression | undefined): 's' | 'ms' | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  const name = e === undefined ? '' : ts.isIdentifier(e) ? e.text : ts.isPropertyAccessExpression(e) ? e.name.text : '';
  if (/(?:[a-z]Ms|_MS|^ms|[mM]illis(?:econds)?|MILLIS(?:ECONDS)?)$/.test(name)) return 'ms';
  if (/(?:[a-z]Secs?|_SECS?|^secs?|^seconds|[a-z]Seconds|_SECONDS)$/.test(name)) return 's';
  return undefined;
}
