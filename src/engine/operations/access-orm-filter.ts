import type ts from 'typescript';
import { bare, followed, nameText } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { objectOf } from './access-orm-chain.js';
import type { ColumnCondition } from './state-access.js';

/** Conditions that hold together, and whether more of them may hide. */
export interface Filter {
  readonly where: readonly ColumnCondition[];
  readonly open: boolean;
}

export const NO_FILTER: Filter = { where: [], open: false };
export const OPEN_FILTER: Filter = { where: [], open: true };

export type ConditionOp = ColumnCondition['op'];

export function condition(column: string, op: ConditionOp, values: readonly Term[], source: 'code' | 'store' = 'code', mayBeAbsent = false): ColumnCondition {
  return { column, op, values, source, mayBeAbsent };
}

/** Spellings of operators over all layers, without `$`, `Op.` and case. */
const OPERATORS: Readonly<Record<string, ConditionOp>> = {
  equals: 'eq', eq: 'eq', is: 'eq', '=': 'eq', '==': 'eq', equal: 'eq',
  not: 'ne', ne: 'ne', neq: 'ne', isnot: 'ne', '!=': 'ne', '<>': 'ne', 'is not': 'ne',
  in: 'in', any: 'in', inarray: 'in', 'not in': 'not-in', notin: 'not-in', nin: 'not-in', notinarray: 'not-in',
  lt: 'lt', '<': 'lt', lessthan: 'lt', lte: 'lte', '<=': 'lte', lessthanorequal: 'lte',
  gt: 'gt', '>': 'gt', morethan: 'gt', gte: 'gte', '>=': 'gte', morethanorequal: 'gte',
};

export function operatorNamed(text: string): ConditionOp | undefined {
  return OPERATORS[text.replace(/^\[(?:\w+\.)*(\w+)\]$/, '$1').replace(/^\$/, '').toLowerCase()];
}

const NEGATED: Readonly<Record<ConditionOp, ConditionOp>> = {
  eq: 'ne', ne: 'eq', in: 'not-in', 'not-in': 'in', lt: 'gte', gte: 'lt', gt: 'lte', lte: 'gt', 'is-null': 'not-null', 'not-null': 'is-null', other: 'other',
};

export function both(filters: readonly Filter[]): Filter {
  return { where: filters.flatMap((f) => f.where), open: filters.some((f) => f.open) };
}

/** NOT over several conditions leaves each of them possible only. */
export function negated(filter: Filter): Filter {
  const alone = filter.where.length === 1;
  return { where: filter.where.map((c) => ({ ...c, op: NEGATED[c.op], mayBeAbsent: c.mayBeAbsent || !alone })), open: filter.open };
}

/** OR: alternatives of one column are one condition, anything else may not hold. */
export function either(filters: readonly Filter[]): Filter {
  const only = filters[0];
  if (filters.length === 1 && only !== undefined) return only;
  const open = filters.some((f) => f.open);
  const all = filters.flatMap((f) => f.where);
  const column = all[0]?.column;
  const alternatives = filters.every((f) => f.where.length === 1) && all.every((c) => c.column === column && (c.op === 'eq' || c.op === 'in') && c.source === 'code' && !c.mayBeAbsent);
  if (alternatives && column !== undefined && !open) return { where: [condition(column, 'in', all.flatMap((c) => c.values))], open };
  return { where: maybe(all), open };
}

export function maybe(where: readonly ColumnCondition[]): readonly ColumnCondition[] {
  return where.map((c) => ({ ...c, mayBeAbsent: true }));
}

/** The conditions of a filter object: Prisma, MongoDB, Sequelize, MikroORM, TypeORM, Knex. */
export function filterOf(unit: Unit, node: ts.Expression | undefined, prefix = '', depth = 0): Filter {
  const { ts } = unit;
  if (node === undefined) return NO_FILTER;
  if (depth > 6) return OPEN_FILTER;
  const next = (x: ts.Expression): Filter => filterOf(unit, x, prefix, depth + 1);
  const e = followed(unit, node);
  if (ts.isArrayLiteralExpression(e)) return either(e.elements.map((x) => (ts.isSpreadElement(x) ? OPEN_FILTER : next(x))));
  const object = objectOf(unit, node);
  if (object === undefined) return OPEN_FILTER;
  const found: Filter[] = [];
  for (const p of object.properties) {
    if (ts.isSpreadAssignment(p)) found.push(spread(p.expression));
    else if (ts.isPropertyAssignment(p)) found.push(entry(nameText(unit, p.name), p.initializer));
    else if (ts.isShorthandPropertyAssignment(p)) found.push(valueFilter(unit, prefix + p.name.text, p.name, depth));
    else found.push(OPEN_FILTER);
  }
  const added = mutations(unit, node, object, prefix, depth);
  return both([...found, added]);

  function entry(key: string, value: ts.Expression): Filter {
    const word = key.replace(/^\[(?:\w+\.)*(\w+)\]$/, '$1').replace(/^\$/, '').toLowerCase();
    if (word === 'and') return listOf(value, both);
    if (word === 'or') return listOf(value, either);
    if (word === 'nor') return listOf(value, (filters) => both(filters.map(negated)));
    if (key === 'NOT') return listOf(value, (filters) => both(filters.map(negated)));
    if (/^\[/.test(key) || key.startsWith('$')) return OPEN_FILTER;
    return valueFilter(unit, prefix + key, value, depth);
  }

  function listOf(value: ts.Expression, join: (filters: readonly Filter[]) => Filter): Filter {
    const list = followed(unit, value);
    if (!ts.isArrayLiteralExpression(list)) return join([next(value)]);
    return join(list.elements.map((x) => (ts.isSpreadElement(x) ? OPEN_FILTER : next(x))));
  }

  /** `...(x && { status })` may set nothing. */
  function spread(value: ts.Expression): Filter {
    const s = bare(unit, value);
    if (ts.isConditionalExpression(s)) {
      const parts = [s.whenTrue, s.whenFalse].map(next);
      return { where: maybe(both(parts).where), open: parts.some((f) => f.open) };
    }
    if (ts.isBinaryExpression(s)) {
      const part = next(s.right);
      return { where: maybe(part.where), open: part.open };
    }
    return next(value);
  }
}

/** `where.status = x` after `const where = {..}`: sure only beside the declaration. */
function mutations(unit: Unit, node: ts.Expression, object: ts.ObjectLiteralExpression, prefix: string, depth: number): Filter {
  const { ts } = unit;
  const name = bare(unit, node);
  const binding = ts.isIdentifier(name) ? unit.scopes.resolve(name) : undefined;
  if (binding === undefined || object.parent !== binding.declaration) return NO_FILTER;
  const found: Filter[] = [];
  const home = binding.declaration.parent.parent.parent;
  const visit = (n: ts.Node): void => {
    if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && n.pos < node.pos) {
      const left = bare(unit, n.left);
      if (ts.isPropertyAccessExpression(left) && ts.isIdentifier(left.expression) && unit.scopes.resolve(left.expression) === binding) {
        const value = valueFilter(unit, prefix + left.name.text, n.right, depth);
        found.push(n.parent.parent === home ? value : { ...value, where: maybe(value.where) });
      }
    }
    ts.forEachChild(n, visit);
  };
  visit(home);
  return both(found);
}

/** The condition a value puts on a column: a plain value, an operator object, an operator call. */
export function valueFilter(unit: Unit, column: string, node: ts.Expression, depth = 0): Filter {
  const { ts } = unit;
  const one = (op: ConditionOp, values: readonly Term[], absent = false): Filter => ({ where: [condition(column, op, values, 'code', absent)], open: false });
  const plain = bare(unit, node);
  if (isUndefined(unit, plain)) return one('eq', [], true);
  if (ts.isConditionalExpression(plain)) {
    if (isUndefined(unit, plain.whenTrue)) return possibly(plain.whenFalse);
    if (isUndefined(unit, plain.whenFalse)) return possibly(plain.whenTrue);
  }
  if (ts.isBinaryExpression(plain)) {
    const op = plain.operatorToken.kind;
    if ((op === ts.SyntaxKind.QuestionQuestionToken || op === ts.SyntaxKind.BarBarToken) && isUndefined(unit, plain.right)) {
      return possibly(plain.left);
    }
    if (op === ts.SyntaxKind.AmpersandAmpersandToken) return possibly(plain.right);
  }
  const e = followed(unit, node);
  if (e.kind === ts.SyntaxKind.NullKeyword) return one('is-null', []);
  if (ts.isArrayLiteralExpression(e)) return one('in', listTerms(unit, e));
  if (ts.isRegularExpressionLiteral(e)) return one('other', []);
  if (ts.isObjectLiteralExpression(e)) return objectValue(e);
  if (ts.isCallExpression(e)) return callValue(e) ?? one('eq', [termOf(unit, node)]);
  if (ts.isTaggedTemplateExpression(e)) return { where: [condition(column, 'other', [], 'store')], open: true };
  return one('eq', [termOf(unit, node)]);

  function possibly(x: ts.Expression): Filter {
    const f = valueFilter(unit, column, x, depth + 1);
    return { where: maybe(f.where), open: f.open };
  }

  function objectValue(object: ts.ObjectLiteralExpression): Filter {
    const parts: Filter[] = [];
    for (const p of object.properties) {
      if (ts.isPropertyAssignment(p)) parts.push(keyed(nameText(unit, p.name), p.initializer));
      else parts.push(ts.isShorthandPropertyAssignment(p) ? keyed(p.name.text, p.name) : OPEN_FILTER);
    }
    return both(parts);
  }

  function keyed(key: string, value: ts.Expression): Filter {
    if (key === '$exists') return one(bare(unit, value).kind === ts.SyntaxKind.FalseKeyword ? 'is-null' : 'not-null', []);
    const op = operatorNamed(key);
    // `{ not: { in: [..] } }`; `$not` of MongoDB takes an operator object as well.
    if (op !== undefined) return op === 'ne' ? negated(valueFilter(unit, column, value, depth + 1)) : byOperator(op, value);
    if (/^(?:path|mode|contains|startsWith|endsWith|has|hasSome|hasEvery|isEmpty|search|some|every|none|string_\w+)$/.test(key) || /^[$[]/.test(key)) {
      return { where: [condition(column, 'other', [])], open: false };
    }
    return depth > 5 ? OPEN_FILTER : valueFilter(unit, `${column}.${key}`, value, depth + 1);
  }

  function byOperator(op: ConditionOp, value: ts.Expression): Filter {
    return operatorFilter(unit, column, op, value);
  }

  /** The operators of TypeORM: `In([..])`, `Not(x)`, `IsNull()`, `LessThan(x)`. */
  function callValue(call: ts.CallExpression): Filter | undefined {
    const callee = bare(unit, call.expression);
    if (!ts.isIdentifier(callee) || !/^[A-Z]/.test(callee.text)) return undefined;
    const value = call.arguments[0];
    if (callee.text === 'IsNull') return one('is-null', []);
    if (callee.text === 'Not' && value !== undefined) return negated(valueFilter(unit, column, value, depth + 1));
    const op = operatorNamed(callee.text);
    if (op !== undefined && value !== undefined) return byOperator(op, value);
    return /^(?:Between|Like|ILike|Raw|ArrayContains)$/.test(callee.text) ? { where: [condition(column, 'other', [])], open: callee.text === 'Raw' }
      : undefined;
  }
}

/** A column compared by a named operator. */
export function operatorFilter(unit: Unit, column: string, op: ConditionOp, value: ts.Expression): Filter {
  const { ts } = unit;
  const e = followed(unit, value);
  if (isUndefined(unit, e)) return { where: [condition(column, op, [], 'code', true)], open: false };
  if (e.kind === ts.SyntaxKind.NullKeyword && (op === 'eq' || op === 'ne')) {
    return { where: [condition(column, op === 'eq' ? 'is-null' : 'not-null', [])], open: false };
  }
  if (isSubquery(unit, e)) return { where: [condition(column, op, [], 'store')], open: false };
  if (op === 'in' || op === 'not-in') return { where: [condition(column, op, listTerms(unit, e))], open: false };
  const source = computedByStore(unit, e) ? 'store' : 'code';
  const absent = ts.isConditionalExpression(e) && (isUndefined(unit, e.whenTrue) || isUndefined(unit, e.whenFalse));
  return { where: [condition(column, op, source === 'store' ? [] : [termOf(unit, value)], source, absent)], open: false };
}

/** `sql`now()``, `knex.raw('..')`, `knex.fn.now()`, `fn('now')`, `literal('..')`. */
export function computedByStore(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isTaggedTemplateExpression(e)) return /(?:^|\.)(?:sql|raw)$/.test(e.tag.getText(unit.file).replace(/<.*$/s, ''));
  if (!ts.isCallExpression(e)) return false;
  const callee = e.expression.getText(unit.file);
  return /(?:^|\.)(?:raw|literal|fn\.now|fn|ref|sql)$/.test(callee) || /^sql\.|\.fn\.\w+$/.test(callee);
}

/** Rows chosen by a query of the same statement: a builder that is not awaited, or a callback that builds one. */
export function isSubquery(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) return true;
  return ts.isCallExpression(e) && /\.(?:from|selectFrom|select|subQuery)\s*\(/.test(e.getText(unit.file));
}

export function listTerms(unit: Unit, node: ts.Expression): readonly Term[] {
  const { ts } = unit;
  const e = followed(unit, node);
  if (!ts.isArrayLiteralExpression(e)) return [termOf(unit, node)];
  // `['done', ...CLOSED]`: what is spread is one of the terms, as far as it can be read.
  return e.elements.flatMap((x) => (ts.isSpreadElement(x) ? listTerms(unit, x.expression) : [termOf(unit, x)]));
}

export function isUndefined(unit: Unit, node: ts.Expression): boolean {
  const e = bare(unit, node);
  return unit.ts.isIdentifier(e) && e.text === 'undefined';
}

/** Whether the conditions leave more than one row possible: none of them names a row by its identity. */
export function manyRows(where: readonly ColumnCondition[]): boolean {
  return !where.some((c) => c.op === 'eq' && !c.mayBeAbsent && /^_?id$|Id$|_id$|uuid$|^key$|^name$/i.test(c.column));
}
