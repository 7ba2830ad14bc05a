import type { SqlCondition, SqlOperator } from './sql-types.js';

/** All of the items, nested ANDs flattened. One item stays itself; no item is a condition that always holds. */
export function allOf(items: readonly SqlCondition[]): SqlCondition {
  const flat = items.flatMap((item) => item.kind === 'and' ? item.items : [item]);
  return flat.length === 1 && flat[0] !== undefined ? flat[0] : { kind: 'and', items: flat };
}

/** Operators whose negation is an operator; NULL is false under both, as SQL has it. */
const NEGATED: Partial<Readonly<Record<SqlOperator, SqlOperator>>> = {
  '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>', 'in': 'not in', 'not in': 'in', 'is null': 'is not null', 'is not null': 'is null',
};

/** The condition that holds where `condition` does not: `NOT (a = x)` is `a <> x`, and De Morgan for AND and OR. */
export function negate(condition: SqlCondition): SqlCondition {
  switch (condition.kind) {
    case 'and':
      return condition.items.length === 0 ? { kind: 'not', item: condition } : { kind: 'or', items: condition.items.map(negate) };
    case 'or':
      return allOf(condition.items.map(negate));
    case 'not':
      return condition.item;
    case 'compare':
      return negateCompare(condition);
    case 'exists':
    case 'opaque':
      return { kind: 'not', item: condition };
  }
}

function negateCompare(condition: Extract<SqlCondition, { kind: 'compare' }>): SqlCondition {
  const [value] = condition.values;
  // NOT locked reads as locked = false, which is what a reader looks for.
  if (condition.op === '=' && value?.kind === 'literal' && typeof value.value === 'boolean') {
    return { ...condition, values: [{ kind: 'literal', value: !value.value }] };
  }
  const op = NEGATED[condition.op];
  return op === undefined ? { kind: 'not', item: condition } : { ...condition, op };
}
