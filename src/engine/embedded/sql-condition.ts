import { allOf, negate } from './sql-condition-algebra.js';
import { splitTail } from './sql-name.js';
import { parsePredicate } from './sql-predicate.js';
import { holesOf, inside, isBracket, isEmpty, slice, splitTop, SQL_MAX_DEPTH, startsQuery, textOf, wordAt, type SqlRange } from './sql-range.js';
import { parseSelect } from './sql-select.js';
import type { SqlCondition } from './sql-types.js';

/** Reads a range as a condition. NOT is pushed down as far as its meaning allows; pieces that are not understood are `opaque`. */
export function parseCondition(range: SqlRange): SqlCondition {
  if (range.depth > SQL_MAX_DEPTH) {
    return opaque(range);
  }
  const arms = splitTop(range, (at) => wordAt(range, at) === 'or');
  const items = arms.map(parseConjunction);
  return items.length === 1 && items[0] !== undefined ? items[0] : { kind: 'or', items };
}

/** Several conditions and loose holes, all of which hold; undefined when there are none. */
export function joinConditions(conditions: readonly (SqlCondition | undefined)[], holes: readonly number[] = []): SqlCondition | undefined {
  const items = [...conditions.filter((item) => item !== undefined), ...holes.map(holeCondition)];
  return items.length === 0 ? undefined : allOf(items);
}

function parseConjunction(range: SqlRange): SqlCondition {
  let between = false;
  const terms = splitTop(range, (at) => {
    const word = wordAt(range, at);
    if (word === 'and' && !between) {
      return true;
    }
    between = word === 'between' || (between && word !== 'and');
    return false;
  });
  return allOf(terms.map(parseTerm));
}

function parseTerm(range: SqlRange): SqlCondition {
  const { body, tail } = splitTail(range);
  const holes = tail.map(holeCondition);
  let from = body.from;
  while (wordAt(body, from) === 'not') {
    from += 1;
  }
  const bare = parseBare(slice(body, from));
  const term = (from - body.from) % 2 === 1 ? negate(bare) : bare;
  return holes.length === 0 ? term : allOf([term, ...holes]);
}

function parseBare(range: SqlRange): SqlCondition {
  if (isEmpty(range)) {
    return opaque(range);
  }
  if (isBracket(range)) {
    const body = inside(range, range.from);
    return startsQuery(body) ? opaque(range) : parseCondition(body);
  }
  if (wordAt(range, range.from) === 'exists' && isBracket(slice(range, range.from + 1))) {
    return { kind: 'exists', select: parseSelect(inside(range, range.from + 1)) };
  }
  return parsePredicate(range) ?? opaque(range);
}

function opaque(range: SqlRange): SqlCondition {
  return { kind: 'opaque', text: textOf(range), holes: holesOf(range) };
}

function holeCondition(hole: number): SqlCondition {
  return { kind: 'opaque', text: `{hole:${String(hole)}}`, holes: [hole] };
}
