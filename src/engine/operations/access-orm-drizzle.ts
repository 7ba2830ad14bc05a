import type ts from 'typescript';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { evidenceOf, functionOf, hasStep, importsPackage, objectOf, returnedBy, stepNamed, textOf, type Chain } from './access-orm-chain.js';
import {
  both, condition, either, isUndefined, manyRows, maybe, negated, NO_FILTER, OPEN_FILTER, operatorFilter,
  operatorNamed, type Filter,
} from './access-orm-filter.js';
import { argument, inArray, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countPropertyForm, rowsForm, type ResultForm } from './result-form.js';
import type { StateAccess, StateRead } from './state-access.js';
import { constant, object } from './value.js';

const DRIZZLE = /^drizzle-orm(?:\/|$)/;

/** `db.update(t).set(..).where(..)`, `db.insert(t).values(..).onConflictDoUpdate(..)`, `db.delete(t).where(..)`, `db.select().from(t)`. */
export function drizzleAccess(chain: Chain): StateAccess | undefined {
  const { unit } = chain;
  const relational = relationalRead(chain);
  if (relational !== undefined) return relational;
  if (hasStep(chain, 'createQueryBuilder', 'updateTable', 'selectFrom')) return undefined;
  const start = chain.steps.find((s) => /^(?:update|insert|delete|select|selectDistinct)$/.test(s.name));
  if (start?.receiver === undefined) return undefined;
  const table = argument(start.name.startsWith('select') ? stepNamed(chain, 'from') : start, 0);
  // A table is a name or a path; a text is another builder's.
  const named = table && bare(unit, table);
  if (named === undefined || !(unit.ts.isIdentifier(named) || unit.ts.isPropertyAccessExpression(named))) return undefined;
  const spelled = isDrizzleSpelling(chain, start.name);
  if (!spelled && !importsPackage(unit, DRIZZLE)) return undefined;
  const facts: LayerFacts = {
    layer: 'drizzle',
    evidence: evidenceOf(unit, DRIZZLE, 'shape'),
    target: tableName(unit, named),
    client: termOf(unit, start.receiver),
  };
  // Only the last `.where()` counts.
  const where = argument(stepNamed(chain, 'where'), 0);
  const filter = where === undefined ? NO_FILTER : drizzleFilter(unit, where);
  if (start.name.startsWith('select')) return readOf(chain, facts, filter, isOne(chain), lockOf(chain));
  if (start.name === 'insert') {
    const conflict = stepNamed(chain, 'onConflictDoUpdate', 'onDuplicateKeyUpdate');
    const options = conflict && objectOf(unit, argument(conflict, 0));
    if (conflict === undefined) return undefined;
    const guard = options && (propertyOf(unit, options, 'setWhere') ?? propertyOf(unit, options, 'where'));
    const on = options === undefined ? OPEN_FILTER : guard === undefined ? NO_FILTER : drizzleFilter(unit, guard);
    return writeOf(chain, facts, 'upsert', on, patchOf(unit, options && propertyOf(unit, options, 'set')), resultOf(chain, false), 'insert');
  }
  const patch = start.name === 'update' ? patchOf(unit, argument(stepNamed(chain, 'set'), 0)) : NO_PATCH;
  return writeOf(chain, facts, start.name === 'update' ? 'update' : 'delete', filter, patch, resultOf(chain, manyRows(filter.where)), start.name);
}

function isDrizzleSpelling(chain: Chain, start: string): boolean {
  if (start === 'update') return hasStep(chain, 'set');
  if (start === 'insert') return hasStep(chain, 'values') && hasStep(chain, 'onConflictDoUpdate', 'onDuplicateKeyUpdate');
  return start === 'delete' ? hasStep(chain, 'where') : hasStep(chain, 'where', 'for');
}

function isOne(chain: Chain): boolean {
  return hasStep(chain, 'get') || textLimit(chain) === 1;
}

function textLimit(chain: Chain): unknown {
  const limit = argument(stepNamed(chain, 'limit'), 0);
  const t = limit && termOf(chain.unit, limit);
  return t?.kind === 'const' ? t.value : undefined;
}

function lockOf(chain: Chain): StateRead['lock'] {
  const lock = stepNamed(chain, 'for');
  if (lock === undefined) return 'none';
  const options = argument(lock, 1)?.getText(chain.unit.file) ?? '';
  return /skipLocked:\s*true/.test(options) ? 'skip-locked' : /noWait:\s*true/.test(options) ? 'nowait' : 'wait';
}

function resultOf(chain: Chain, many: boolean): ResultForm {
  if (hasStep(chain, 'returning')) return rowsForm(many);
  if (importsPackage(chain.unit, /^drizzle-orm\/mysql2$/)) {
    return inArray('array with affectedRows', [object({ affectedRows: constant(1) })], [object({ affectedRows: constant(0) })]);
  }
  return countPropertyForm(['rowCount', 'count', 'changes', 'rowsAffected', 'affectedRows'], { many });
}

/** The SQL name in `pgTable('name', ..)`, or the name in the code. */
function tableName(unit: Unit, node: ts.Expression): string {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isCallExpression(e) && /Table$|\.table$/.test(e.expression.getText(unit.file))) {
    return textOf(unit, e.arguments[0]) ?? node.getText(unit.file);
  }
  return ts.isPropertyAccessExpression(e) ? e.name.text : node.getText(unit.file);
}

/** The condition of `.where(..)`: `and(eq(t.a, v), inArray(..))`. */
export function drizzleFilter(unit: Unit, node: ts.Expression, depth = 0): Filter {
  const { ts } = unit;
  const e = followed(unit, node);
  if (depth > 8) return OPEN_FILTER;
  if (isUndefined(unit, e)) return NO_FILTER;
  const next = (x: ts.Expression): Filter => drizzleFilter(unit, x, depth + 1);
  if (ts.isConditionalExpression(e)) {
    const parts = [next(e.whenTrue), next(e.whenFalse)];
    return { where: maybe(both(parts).where), open: parts.some((f) => f.open) };
  }
  if (ts.isBinaryExpression(e)) {
    const part = next(e.right);
    return { where: maybe(part.where), open: part.open };
  }
  if (!ts.isCallExpression(e)) return OPEN_FILTER;
  const callee = bare(unit, e.expression);
  const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  const parts = (): Filter[] => e.arguments.map((a) => (ts.isSpreadElement(a) ? OPEN_FILTER : next(a)));
  if (name === 'and') return both(parts());
  if (name === 'or') return either(parts());
  if (name === 'not') return negated(both(parts()));
  const [left, right] = e.arguments;
  const column = left && columnName(unit, left);
  if (column === undefined) {
    const fn = functionOf(unit, callee);
    const result = fn && returnedBy(unit, fn);
    return result === undefined ? OPEN_FILTER : next(result);
  }
  if (name === 'isNull' || name === 'isNotNull') return { where: [condition(column, name === 'isNull' ? 'is-null' : 'not-null', [])], open: false };
  const op = operatorNamed(name);
  if (op === undefined || right === undefined) return { where: [condition(column, 'other', [])], open: true };
  // A column of a table on the right is the store's own value.
  if (columnName(unit, right) !== undefined && isTablePath(unit, right)) return { where: [condition(column, op, [], 'store')], open: false };
  return operatorFilter(unit, column, op, right);
}

function columnName(unit: Unit, node: ts.Expression): string | undefined {
  const e = followed(unit, node);
  return unit.ts.isPropertyAccessExpression(e) ? e.name.text : undefined;
}

function isTablePath(unit: Unit, node: ts.Expression): boolean {
  const e = followed(unit, node);
  if (!unit.ts.isPropertyAccessExpression(e)) return false;
  const table = followed(unit, e.expression);
  return unit.ts.isCallExpression(table) && /Table$/.test(table.expression.getText(unit.file));
}

/** `db.query.steps.findFirst({ where: eq(steps.id, id) })`. */
function relationalRead(chain: Chain): StateRead | undefined {
  const { unit, last } = chain;
  const { ts } = unit;
  if (last.name !== 'findFirst' && last.name !== 'findMany') return undefined;
  const table = last.receiver && bare(unit, last.receiver);
  const query = table && ts.isPropertyAccessExpression(table) ? bare(unit, table.expression) : undefined;
  if (table === undefined || query === undefined || !ts.isPropertyAccessExpression(table) || !ts.isPropertyAccessExpression(query) || query.name.text !== 'query') {
    return undefined;
  }
  const options = objectOf(unit, argument(last, 0));
  const where = options && propertyOf(unit, options, 'where');
  const fn = functionOf(unit, where);
  const filter = where === undefined ? NO_FILTER : drizzleFilter(unit, (fn && returnedBy(unit, fn)) ?? where);
  return readOf(chain, { layer: 'drizzle', evidence: evidenceOf(unit, DRIZZLE, 'shape'), target: table.name.text, client: termOf(unit, query.expression) }, filter, last.name === 'findFirst');
}
