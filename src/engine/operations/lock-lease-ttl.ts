import { bare, followed } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { sqlTextOf } from './access-sql.js';
import type { TtlGiven } from './operation.js';
import type { AccessNode, ColumnAssignment } from './state-access.js';

const OPEN: TtlGiven = { kind: 'open' };
const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const INTERVAL = /\binterval\s+'(\d+)\s*(s|m|h|d)(?:ec|econd|in|inute|our|ay)?s?'/gi;

/** How long a lease runs, from the value its end is set to: `Date.now() + ms` of the program, `now() + interval '1 minute'` of the store. */
export function leaseTtl(unit: Unit, node: AccessNode, until: ColumnAssignment): TtlGiven {
  if (until.source === 'code') return until.node === undefined ? OPEN : addedToNow(unit, until.node);
  const text = until.node?.getText(unit.file) ?? sqlTextOf(unit, node)?.parts.join('?') ?? '';
  const found = [...text.matchAll(INTERVAL)];
  const [only] = found;
  const scale = MILLISECONDS[only?.[2]?.toLowerCase() ?? ''];
  if (found.length !== 1 || only?.[1] === undefined || scale === undefined) return OPEN;
  return { kind: 'given', ttl: { term: { kind: 'const', value: Number(only[1]) * scale }, node: undefined, unit: 'ms', named: undefined } };
}

/** The time added to the clock in `new Date(Date.now() + ttlMs)`; open for all else. */
function addedToNow(unit: Unit, value: NonNullable<ColumnAssignment['node']>): TtlGiven {
  const { ts } = unit;
  let e = followed(unit, value);
  const [only] = ts.isNewExpression(e) && e.expression.getText(unit.file) === 'Date' ? e.arguments ?? [] : [];
  if (only !== undefined) e = followed(unit, only);
  if (!ts.isBinaryExpression(e) || e.operatorToken.kind !== ts.SyntaxKind.PlusToken) return OPEN;
  const [left, right] = [bare(unit, e.left), bare(unit, e.right)];
  const time = isClock(left.getText(unit.file)) ? right : isClock(right.getText(unit.file)) ? left : undefined;
  return time === undefined ? OPEN : { kind: 'given', ttl: { term: termOf(unit, time), node: time, unit: 'ms', named: namedUnit(unit, time) } };
}

function isClock(text: string): boolean {
  return /^Date\.now\(\)$|\.getTime\(\)$/.test(text);
}
