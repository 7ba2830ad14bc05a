import { propertyOf } from '../syntax/expression.js';
import { chainOf, importsPackage } from './access-orm-chain.js';
import { declaredForm, signatureOf } from './access-orm-signature.js';
import { NOTHING_FORM } from './access-orm-record.js';
import { promisedRows } from './access-sql-rows.js';
import type { SqlRun } from './access-sql-run.js';
import { countForm, handleOrNothingForm, UNKNOWN_FORM, type ResultForm } from './result-form.js';
import { array, constant, object, UNKNOWN, type Value } from './value.js';

/** What the result form depends on besides the call. */
export interface WriteShape {
  /** The statement gives the rows it wrote. */
  readonly returning: boolean;
  /** It can hit more than one row. */
  readonly many: boolean;
}

/** Methods of drivers; any other name is a wrapper of the house, whose answer is its own. */
const DRIVER = /^(?:query|execute|exec|run|raw|unsafe|queryRaw|executeRaw|executeSql|sql)$/;

/** How the awaited call tells a hit from a miss. */
export function resultOf(run: SqlRun, layer: string, shape: WriteShape): ResultForm {
  const { method, spelling } = run;
  const { returning, many } = shape;
  if (layer === 'prisma' && method.startsWith('$')) return method.startsWith('$execute') ? countForm(many) : rows(shape);
  if (spelling === 'prepared') return preparedResult(run, shape);
  if (spelling === 'executed-tag') return answer('object with rows', shape, (hit, big, list) => object({ rows: list, numAffectedRows: big }));
  if (isHouseTag(run)) return returning ? rows(shape) : UNKNOWN_FORM;
  if (layer === 'postgres.js' && (spelling === 'tag' || method === 'unsafe')) return postgresJs(shape);
  if (spelling === 'tag') return returning || isNeonTag(run) ? rows(shape) : UNKNOWN_FORM;
  const promised = promisedRows(run, returning, () => rows(shape));
  if (promised !== undefined) return promised;
  const declared = declaredResult(run, shape);
  if (declared !== undefined) return declared;
  if (layer === 'mysql2') return mysqlResult(shape);
  if (layer === 'drizzle' && importsPackage(run.unit, /^drizzle-orm\/mysql/)) return mysqlResult(shape);
  if (layer === 'drizzle' && importsPackage(run.unit, /^drizzle-orm\/postgres-js/)) return postgresJs(shape);
  if (layer === 'sequelize') return sequelizeResult(run, shape);
  if (layer === 'typeorm' && method === 'query') return typeormResult(shape);
  if (layer === 'pg' || layer === 'knex' || layer === 'drizzle') return answer('object with rowCount', shape, (hit, _, list) => object({ rowCount: hit, rows: list }));
  if (layer === 'sqlite') return answer('object with changes', shape, (hit, _, list) => object({ changes: hit, rowsAffected: hit, rows: list }));
  if (DRIVER.test(method)) return answer('object with rowCount', shape, (hit, _, list) => object({ rowCount: hit, affectedRows: hit, changes: hit, rows: list }));
  return returning ? rows(shape) : UNKNOWN_FORM;
}

/** `this.sql`...`` of an object that is none of Postgres.js, as a Durable Object has it: what it answers is its own. */
function isHouseTag({ unit, node, spelling }: SqlRun): boolean {
  const { ts } = unit;
  return spelling === 'tag' && ts.isTaggedTemplateExpression(node) && ts.isPropertyAccessExpression(node.tag) && node.tag.expression.kind === ts.SyntaxKind.ThisKeyword && !importsPackage(unit, /^postgres$/);
}

/** The tag of Neon over HTTP gives the rows alone, unless it is told to give all. */
function isNeonTag({ unit }: SqlRun): boolean {
  return importsPackage(unit, /^@neondatabase\/serverless$/) && unit.says(/\bneon\(/) && !unit.says(/\bfullResults\b/);
}

/** A form of one value for a hit and one for a miss, each made from the count, the count as bigint and the list of rows. */
function answer(label: string, { returning, many }: WriteShape, make: (count: Value, big: Value, list: Value) => Value): ResultForm {
  // Without RETURNING the list is empty for a hit too.
  const list = returning ? rowList(many) : array([], 0);
  const hit: Value = many ? { kind: 'positive', big: false } : constant(1);
  const big: Value = many ? { kind: 'positive', big: true } : constant(1n);
  return { label, won: [make(hit, big, list)], lost: [make(constant(0), constant(0n), array([], 0))], throwsWhenLost: false };
}

/** At least one row: how many is not known where the statement can hit several. */
function rowList(many: boolean): Value {
  return { kind: 'array', items: [object({})], length: many ? undefined : 1 };
}

/** A list of rows proves nothing where the statement gives none back. */
function rows({ returning, many }: WriteShape): ResultForm {
  return returning ? { label: 'rows', won: [rowList(many)], lost: [array([], 0)], throwsWhenLost: false } : { label: 'empty rows', won: [array([], 0)], lost: [array([], 0)], throwsWhenLost: false, silent: true };
}

function postgresJs(shape: WriteShape): ResultForm {
  return shape.returning ? rows(shape) : answer('count', shape, (hit) => object({ count: hit, length: constant(0) }));
}

function preparedResult(run: SqlRun, shape: WriteShape): ResultForm {
  if (run.method === 'get' || run.method === 'first') return shape.returning ? handleOrNothingForm(run.method === 'get' ? 'undefined' : 'null', object({})) : NOTHING_FORM;
  if (run.method === 'all' || run.method === 'values') return rows(shape);
  return answer('object with changes', shape, (hit, _, list) => object({ changes: hit, meta: object({ changes: hit, rows_written: hit }), results: list }));
}

function mysqlResult(shape: WriteShape): ResultForm {
  // MySQL counts found rows by default with mysql2; changedRows is another matter.
  return answer('array with affectedRows', shape, (hit) => array([object({ affectedRows: hit }), UNKNOWN], 2));
}

function sequelizeResult(run: SqlRun, shape: WriteShape): ResultForm {
  const type = run.options && propertyOf(run.unit, run.options, 'type')?.getText(run.unit.file);
  if (type !== undefined && /SELECT$/.test(type)) return rows(shape);
  if (type !== undefined && /(?:UPDATE|DELETE)$/.test(type)) return answer('array with count', shape, (hit, _, list) => array([shape.returning ? list : UNKNOWN, hit], 2));
  return answer('array with metadata', shape, (hit, _, list) => array([shape.returning ? list : UNKNOWN, object({ rowCount: hit, affectedRows: hit })], 2));
}

/** PostgreSQL gives rows and count, the other drivers their own object. */
function typeormResult(shape: WriteShape): ResultForm {
  const pair = answer('rows and count', shape, (hit, _, list) => array([list, hit], 2));
  const single = answer('object', shape, (hit) => object({ affectedRows: hit, changes: hit }));
  return { ...pair, won: [...pair.won, ...single.won], lost: [...pair.lost, ...single.lost] };
}

/** The declared return type of the called method, where the file spells it and it says enough. */
function declaredResult(run: SqlRun, shape: WriteShape): ResultForm | undefined {
  const { unit, node } = run;
  const chain = unit.ts.isCallExpression(node) ? chainOf(unit, node) : undefined;
  const signature = chain && signatureOf(chain);
  if (signature === undefined) return undefined;
  const form = declaredForm(unit, signature, false);
  switch (form.label) {
    case 'count': return countForm(shape.many);
    case 'rows': return rows(shape);
    case 'boolean': return form;
    case 'void': return NOTHING_FORM;
    case 'handle or null':
    case 'handle or undefined':
    case 'handle or nothing': return shape.returning ? form : undefined;
    default: return undefined;
  }
}
