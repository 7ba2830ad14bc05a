import type ts from 'typescript';
import { bare } from './expression.js';
import type { Unit } from './unit.js';

export type TimeUnit = 'ms' | 's' | 'min' | 'h' | 'd';

/** The unit the name of a value promises: `ttlMs`, `LOCK_TTL_SECONDS`, `leaseMinutes`, `leaseMinutes * 60`. Undefined where arithmetic is no conversion from one unit to another. */
export function namedUnit(unit: Unit, node: ts.Expression | undefined): TimeUnit | undefined {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e !== undefined && ts.isBinaryExpression(e)) return convertedUnit(unit, e);
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

/** Milliseconds in one of each. */
const SIZES: Readonly<Record<TimeUnit, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };

/** `MINUTES * 60` counts seconds, `MINUTES * 60 * 1000` and `seconds * 1e3` milliseconds, `ttlMs / 1000` seconds. A factor that leads to no other unit says nothing. */
function convertedUnit(unit: Unit, e: ts.BinaryExpression): TimeUnit | undefined {
  const { ts } = unit;
  const times = e.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
  if (!times && e.operatorToken.kind !== ts.SyntaxKind.SlashToken) return undefined;
  const [left, right] = [bare(unit, e.left), bare(unit, e.right)];
  const [value, factor] = times && ts.isNumericLiteral(left) ? [right, left] : [left, right];
  const from = ts.isNumericLiteral(factor) ? namedUnit(unit, value) : undefined;
  if (from === undefined || !ts.isNumericLiteral(factor)) return undefined;
  const by = Number(factor.text);
  const size = times ? SIZES[from] / by : SIZES[from] * by;
  const found = UNITS.find((to) => SIZES[to] === size);
  return found === from ? undefined : found;
}

const UNITS = ['ms', 's', 'min', 'h', 'd'] as const satisfies readonly TimeUnit[];
