import type ts from 'typescript';
import { bare, followed, nameText } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { functionOf, objectOf, returnedBy } from './access-orm-chain.js';
import { computedByStore } from './access-orm-filter.js';
import type { ColumnAssignment } from './state-access.js';

/** The columns a patch sets, and whether more may be set. */
export interface Patch {
  readonly set: readonly ColumnAssignment[];
  readonly open: boolean;
}

export const NO_PATCH: Patch = { set: [], open: false };
export const OPEN_PATCH: Patch = { set: [], open: true };

export function joined(patches: readonly Patch[]): Patch {
  return { set: patches.flatMap((p) => p.set), open: patches.some((p) => p.open) };
}

/** The assignments of a patch object. A builder callback (`(eb) => ({..})`) stands for what it returns. */
export function patchOf(unit: Unit, node: ts.Expression | undefined, depth = 0): Patch {
  const { ts } = unit;
  if (node === undefined || depth > 5) return OPEN_PATCH;
  const alternatives = alternativesOf(unit, node);
  // Which of them is taken is not known here, so that none of the columns is sure.
  if (alternatives.length > 0) return { ...joined(alternatives.map((a) => patchOf(unit, a, depth + 1))), open: true };
  const fn = functionOf(unit, node);
  const object = objectOf(unit, (fn && returnedBy(unit, fn)) ?? node);
  if (object === undefined) return OPEN_PATCH;
  const found: Patch[] = [];
  for (const p of object.properties) {
    if (ts.isPropertyAssignment(p)) found.push({ set: [assignment(unit, nameText(unit, p.name), p.initializer)], open: false });
    else if (ts.isShorthandPropertyAssignment(p)) found.push({ set: [assignment(unit, p.name.text, p.name)], open: false });
    // A spread that is itself an object literal behind a name is read; anything else hides columns.
    else found.push(ts.isSpreadAssignment(p) ? patchOf(unit, p.expression, depth + 1) : OPEN_PATCH);
  }
  return joined(found);
}

/** The objects a conditional or a variable that is assigned in branches may stand for. */
function alternativesOf(unit: Unit, node: ts.Expression): readonly ts.Expression[] {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isConditionalExpression(e)) return [e.whenTrue, e.whenFalse];
  const binding = ts.isIdentifier(e) ? unit.scopes.resolve(e) : undefined;
  if (binding === undefined || binding.writes.length === 0 || !ts.isVariableDeclaration(binding.declaration)) return [];
  const first = binding.declaration.initializer;
  const later = binding.writes.map((w) => (ts.isBinaryExpression(w) && w.operatorToken.kind === ts.SyntaxKind.EqualsToken ? bare(unit, w.right)
    : undefined));
  const all = first === undefined ? later : [bare(unit, first), ...later];
  const objects = all.filter((x) => x !== undefined).filter((x) => ts.isObjectLiteralExpression(x));
  return objects.length === all.length ? objects : [];
}

const OWN_OLD_VALUE = /^(?:increment|decrement|multiply|divide|push)$/;

/** One column and where its value is computed. */
export function assignment(unit: Unit, column: string, node: ts.Expression): ColumnAssignment {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isObjectLiteralExpression(e)) {
    const [only] = e.properties;
    if (only !== undefined && e.properties.length === 1 && ts.isPropertyAssignment(only)) {
      const key = nameText(unit, only.name);
      if (key === 'set') return assignment(unit, column, only.initializer);
      if (OWN_OLD_VALUE.test(key)) return { column, value: undefined, node, source: 'old-value' };
    }
  }
  // TypeORM takes SQL text from a function, Kysely an expression: `() => 'tries + 1'`, `(eb) => eb('tries', '+', 1)`.
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e) || computedByStore(unit, e) || isExpressionBuilder(unit, e)) {
    return { column, value: undefined, node, source: namesColumn(e.getText(unit.file), column) ? 'old-value' : 'store' };
  }
  return { column, value: termOf(unit, node), node, source: 'code' };
}

function isExpressionBuilder(unit: Unit, e: ts.Expression): boolean {
  if (!unit.ts.isCallExpression(e)) return false;
  const callee = bare(unit, e.expression);
  return unit.ts.isIdentifier(callee) ? callee.text === 'eb' : /^eb\./.test(callee.getText(unit.file));
}

/** Text that computes from the column's own old value; a CASE is more than that. */
export function namesColumn(text: string, column: string): boolean {
  if (/\bcase\b/i.test(text)) return false;
  return new RegExp(`(?<![\\w])${column.replaceAll(/[^\w]/g, '.')}(?![\\w])`).test(text);
}
