import type ts from 'typescript';
import type { SqlAssignment, SqlValue } from '../embedded/sql-types.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { member, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { SqlRun } from './access-sql-run.js';
import { resolved } from './access-sql-text.js';
import type { ColumnAssignment } from './state-access.js';

/** A value of the statement as the program sees it. */
export interface BoundValue {
  readonly term: Term | undefined;
  readonly node: ts.Expression | undefined;
  readonly source: 'code' | 'store';
}

const STORE: BoundValue = { term: undefined, node: undefined, source: 'store' };
const HIDDEN: BoundValue = { term: undefined, node: undefined, source: 'code' };

/** Functions that only change the type of the one value they are given. */
const CONVERSION = /^(?:to_jsonb?|jsonb?|to_timestamp|from_unixtime|lower|upper|trim|text|uuid_to_bin|unhex|datetime|timestamp|date)$/;
/** Calls that only say how a value is bound. */
const WRAPPER = /^(?:sql|tx|trx|Prisma)(?:\.(?:json|jsonb|array|val|value|lit|literal|param|join|typed|placeholder|date|timestamp|uuid|binary))?$/;

/** Where the value of an SQL expression comes from. */
export function boundValue(run: SqlRun, value: SqlValue): BoundValue {
  switch (value.kind) {
    case 'literal': return { term: { kind: 'const', value: value.value }, node: undefined, source: 'code' };
    case 'hole': return holeValue(run, value.index);
    case 'param': return paramValue(run, value.name, value.index);
    case 'column':
    case 'subquery': return STORE;
    case 'expression': return converted(run, value) ?? STORE;
  }
}

function holeValue(run: SqlRun, index: number): BoundValue {
  const node = run.text.holes[index];
  return node === undefined ? HIDDEN : codeValue(run.unit, unwrapped(run.unit, node));
}

function codeValue(unit: Unit, node: ts.Expression): BoundValue {
  return { term: termOf(unit, node), node, source: 'code' };
}

function unwrapped(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = bare(unit, node);
  const [first] = ts.isCallExpression(e) ? e.arguments : [];
  return ts.isCallExpression(e) && first !== undefined && WRAPPER.test(e.expression.getText(unit.file)) ? first : e;
}

function paramValue(run: SqlRun, name: string, index: number | undefined): BoundValue {
  const { unit, list, params } = run;
  const { ts } = unit;
  if (list !== undefined) return element(unit, list, index);
  if (params === undefined) return HIDDEN;
  const e = resolved(unit, params);
  if (ts.isArrayLiteralExpression(e)) return element(unit, e.elements, index);
  if (ts.isObjectLiteralExpression(e)) {
    const found = propertyOf(unit, e, name);
    return found === undefined ? HIDDEN : codeValue(unit, found);
  }
  const key = index === undefined ? name : String(index);
  return /^\w+$/.test(key) ? { term: member(termOf(unit, params), key), node: undefined, source: 'code' } : HIDDEN;
}

/** Behind a spread the positions are not known. */
function element(unit: Unit, items: readonly ts.Expression[], index: number | undefined): BoundValue {
  const found = index === undefined ? undefined : items[index];
  const shifted = items.slice(0, (index ?? 0) + 1).some((x) => unit.ts.isSpreadElement(x));
  return found === undefined || shifted ? HIDDEN : codeValue(unit, found);
}

/** `to_jsonb($2)` is still the value of the program. */
function converted(run: SqlRun, value: Extract<SqlValue, { kind: 'expression' }>): BoundValue | undefined {
  const { calls, columns, holes, params } = value;
  if (columns.length > 0 || calls.length !== 1 || !CONVERSION.test(calls[0] ?? '') || holes.length + params.length !== 1) return undefined;
  const [hole] = holes;
  if (hole !== undefined) return holeValue(run, hole);
  const name = params[0] ?? '';
  const index = /^\$(\d+)$/.exec(name)?.[1];
  // The position of a bare `?` is not told here.
  if (name === '?') return HIDDEN;
  return paramValue(run, name.replace(/^[:@$]/, ''), index === undefined ? undefined : Number(index) - 1);
}

/** One assignment of a SET list; undefined where its column is not visible. */
export function assignmentOf(run: SqlRun, item: SqlAssignment, inserted?: ReadonlyMap<string, SqlValue>): ColumnAssignment | undefined {
  const column = nameOf(run, item.column);
  if (column === undefined) return undefined;
  const value = insertedValue(item.value, inserted) ?? item.value;
  // The INSERT brought it, but its rows are not spelled out.
  if (isInserted(value)) return { column, value: undefined, node: undefined, source: 'code' };
  const own = (value.kind === 'column' && value.name === item.column) || (value.kind === 'expression' && mentions(value.columns, item.column));
  if (own) return { column, value: undefined, node: undefined, source: 'old-value' };
  const bound = boundValue(run, value);
  return { column, value: bound.term, node: bound.node, source: bound.source };
}

function mentions(columns: readonly string[], column: string): boolean {
  return columns.some((c) => c.toLowerCase() === column.toLowerCase());
}

const INSERTED = /^(?:excluded\s*\.\s*["`]?(\w+)["`]?|values\s*\(\s*["`]?(\w+)["`]?\s*\))$/i;

function isInserted(value: SqlValue): boolean {
  return (value.kind === 'column' && value.table?.toLowerCase() === 'excluded') || (value.kind === 'expression' && INSERTED.test(value.text.trim()));
}

/** `EXCLUDED.status` and `VALUES(status)` are the value the INSERT brought. */
export function insertedValue(value: SqlValue, inserted: ReadonlyMap<string, SqlValue> | undefined): SqlValue | undefined {
  if (value.kind === 'column') return isInserted(value) ? inserted?.get(value.name) : undefined;
  const name = value.kind === 'expression' ? INSERTED.exec(value.text.trim()) : null;
  return name === null ? undefined : inserted?.get(name[1] ?? name[2] ?? '');
}

/** The name of a table or column, with holes read: a constant, `${jobs.status}` and `${jobs}` of Drizzle. Undefined where it is not visible. */
export function nameOf(run: SqlRun, text: string): string | undefined {
  const name = text.replaceAll(/\{hole:(\d+)\}/g, (_, n: string) => {
    const node = run.text.holes[Number(n)];
    return node === undefined ? '' : nameInHole(run, node);
  }).replaceAll(/^[_.]+|[_.]+$/g, '');
  return name === '' || name === '??' ? undefined : name;
}

function nameInHole(run: SqlRun, node: ts.Expression): string {
  const { unit, text } = run;
  const { ts } = unit;
  const term = termOf(unit, node);
  if (term.kind === 'const') return String(term.value);
  if (!text.tagged) return '';
  const e = bare(unit, node);
  if (ts.isPropertyAccessExpression(e)) return e.name.text;
  const made = followed(unit, e);
  const [first] = ts.isCallExpression(made) ? made.arguments : [];
  if (first !== undefined && ts.isStringLiteralLike(first)) return first.text;
  return ts.isIdentifier(e) ? e.text : '';
}

/** Whether two names of the statement are one name, whatever holes they are written with. */
export function sameName(run: SqlRun, a: string, b: string): boolean {
  return (nameOf(run, a) ?? a).toLowerCase() === (nameOf(run, b) ?? b).toLowerCase();
}
