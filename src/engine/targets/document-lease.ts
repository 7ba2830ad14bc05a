import type ts from 'typescript';
import type { ColumnAssignment, StateWrite } from '../operations/state-access.js';
import { followed, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { isLockColumn, normalised } from './step-words.js';

/** A write that puts a whole document back, copied from the row but for a lease that is kept in it: `{ schedule: { ...row.schedule, claimedAt: null } }`. */
export function movesLeaseInDocument(unit: Unit, { set }: StateWrite): boolean {
  return set.some((a) => changedKeys(unit, a).some(isLeaseKey));
}

/** The keys that a copy of the old document changes; none where nothing is copied. */
function changedKeys(unit: Unit, { node, source }: ColumnAssignment): readonly string[] {
  const { ts } = unit;
  const object = node === undefined || source !== 'code' ? undefined : documentIn(unit, node);
  if (object === undefined || !object.properties.some((p) => ts.isSpreadAssignment(p))) return [];
  return object.properties.flatMap((p) => (p.name === undefined ? [] : [nameText(unit, p.name)]));
}

/** The object literal, or the one whose JSON is stored. */
function documentIn(unit: Unit, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isObjectLiteralExpression(e)) return e;
  const [only] = ts.isCallExpression(e) && e.expression.getText(unit.file) === 'JSON.stringify' ? e.arguments : [];
  const inner = only && followed(unit, only);
  return inner !== undefined && ts.isObjectLiteralExpression(inner) ? inner : undefined;
}

/** `schedulerClaimedAt`, `lockedBy`, `leaseUntil`: who works on the row, or since or until when. Who finished it, and when, is no lease. */
function isLeaseKey(name: string): boolean {
  return isLockColumn(name) || /(?:^|_)(?:claimed|locked|leased|reserved)_(?:at|by|until|since)$|(?:^|_)(?:lock|lease|claim)_(?:owner|holder|token|expir\w*|until)$/.test(normalised(name));
}
