import { propertyOf } from '../syntax/expression.js';
import type { SqlLockCall } from '../embedded/sql-types.js';
import { chainOf, importsPackage } from './access-orm-chain.js';
import { declaredForm, signatureOf } from './access-orm-signature.js';
import { layerOf } from './access-sql-layer.js';
import type { SqlRun } from './access-sql-run.js';
import { isAnswerFollowed } from './lock-answer-followed.js';
import { BOOLEAN_FORM, UNKNOWN_FORM, type ResultForm } from './result-form.js';
import { array, constant, object, UNKNOWN, type Value } from './value.js';

/** `pg_advisory_lock` comes back when the lock is granted, and only then. */
const WAITS_FORM: ResultForm = { label: 'waits, or throws', won: [UNKNOWN], lost: [], throwsWhenLost: true };

/** A client's answer around the one row that a lock query gives. */
type Shape = (row: Value) => Value;

const ROWS: Shape = (row) => array([row], 1);
const WITH_ROWS: Shape = (row) => object({ rows: array([row], 1), rowCount: constant(1) });
const PAIR: Shape = (row) => array([array([row], 1), UNKNOWN], 2);
const ROW: Shape = (row) => row;
/** Either a list or an object with one: what the code reads of it is answered, whichever it is. */
const EITHER: Shape = (row) => object({ 0: row, length: constant(1), rows: array([row], 1), rowCount: constant(1) });

/** Methods of drivers; any other name is a wrapper of the house, whose answer is its own. */
const DRIVER = /^(?:query|execute|raw|unsafe|queryRaw)$/;

/** How the awaited call tells whether the lock was granted. A lock query always gives one row: the answer is a column of it. */
export function lockAnswer(run: SqlRun, call: SqlLockCall): ResultForm {
  if (call.operation === 'acquire') return WAITS_FORM;
  // `WHERE pg_try_advisory_lock(..)`, casts, `count(..)`: the answer hides in something else.
  if (call.column === undefined || !isAnswerFollowed(run.unit, run.node)) return UNKNOWN_FORM;
  const { layer } = layerOf(run);
  if (layer === 'prisma' && run.method.startsWith('$execute')) return { label: 'row count', won: [constant(1)], lost: [constant(1)], throwsWhenLost: false };
  const shape = shapeOf(run, layer);
  if (shape === 'boolean') return BOOLEAN_FORM;
  if (shape === undefined) return UNKNOWN_FORM;
  const [yes, no] = call.function.startsWith('pg_') ? [true, false] : [1, 0];
  const { column } = call;
  // Without quotes PostgreSQL gives the name back in lower case.
  const row = (value: boolean | number): Value => object({ [column]: constant(value), [column.toLowerCase()]: constant(value) });
  return { label: `column ${column} of the row`, won: [shape(row(yes))], lost: [shape(row(no))], throwsWhenLost: false };
}

function shapeOf(run: SqlRun, layer: string): Shape | 'boolean' | undefined {
  const { unit, method, spelling } = run;
  if (layer === 'prisma' && method.startsWith('$query')) return ROWS;
  if (spelling === 'executed-tag') return WITH_ROWS;
  if (layer === 'postgres.js' && (spelling === 'tag' || method === 'unsafe')) return ROWS;
  const declared = declaredShape(run);
  if (declared !== undefined) return declared.shape;
  if (importsPackage(unit, /^pg-promise$/)) return /^one(?:OrNone)?$/.test(method) ? ROW : /^(?:any|many|manyOrNone|query)$/.test(method) ? ROWS : undefined;
  if (!DRIVER.test(method) || spelling !== 'call') return undefined;
  // A function of the house that is called like a driver's method answers as it likes.
  if (run.client === undefined) return EITHER;
  switch (layer) {
    case 'pg': return method === 'query' ? WITH_ROWS : undefined;
    case 'mysql2': return importsPackage(unit, /^mysql2/) ? PAIR : undefined;
    case 'typeorm': return method === 'query' ? ROWS : undefined;
    case 'mikro-orm': return run.list === undefined && run.options === undefined ? ROWS : undefined;
    case 'sequelize': return sequelizeShape(run);
    case 'drizzle': return importsPackage(unit, /^drizzle-orm\/(?:postgres-js|mysql)/) ? (importsPackage(unit, /mysql/) ? PAIR : ROWS) : EITHER;
    // A file that imports two libraries does not tell which one is called.
    default: return EITHER;
  }
}

/** By the declared type of the called method, where the file spells it. */
function declaredShape(run: SqlRun): { readonly shape: Shape | 'boolean' | undefined } | undefined {
  const { unit, node } = run;
  const chain = unit.ts.isCallExpression(node) ? chainOf(unit, node) : undefined;
  const signature = chain && signatureOf(chain);
  if (signature === undefined) return undefined;
  const { label } = declaredForm(unit, signature, false);
  if (label === 'unknown' && DRIVER.test(run.method)) return undefined;
  return { shape: label === 'rows' ? ROWS : label === 'boolean' ? 'boolean' : label.startsWith('handle') && DRIVER.test(run.method) ? EITHER : undefined };
}

function sequelizeShape(run: SqlRun): Shape | undefined {
  const { unit, options } = run;
  if (options === undefined) return PAIR;
  if (propertyOf(unit, options, 'plain') !== undefined || propertyOf(unit, options, 'raw') !== undefined) return undefined;
  const type = propertyOf(unit, options, 'type')?.getText(unit.file);
  return type === undefined ? PAIR : /SELECT$/.test(type) ? ROWS : undefined;
}
