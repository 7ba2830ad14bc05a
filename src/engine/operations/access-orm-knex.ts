import type ts from 'typescript';
import { bare, followed, initialiserOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { assignment, NO_PATCH, OPEN_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import { declaredType, evidenceOf, functionOf, hasStep, importsPackage, lastSegment, stepNamed, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import {
  both, condition, either, filterOf, manyRows, negated, NO_FILTER, OPEN_FILTER, operatorFilter, operatorNamed,
  valueFilter, type Filter,
} from './access-orm-filter.js';
import { argument, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countForm, rowsForm } from './result-form.js';
import type { StateAccess, StateRead } from './state-access.js';

const KNEX = /^(?:knex|objection)$/;
const ROOT = /^(?:knex|trx|tx|db|database|conn|connection|k|qb|transaction)$|Knex$/;
const WHERE = /^(?:and|or)?[wW]here|^having/;

/** `knex('t').where({..}).update({..})`, on knex itself, a transaction or a field. */
export function knexAccess(chain: Chain): StateAccess | undefined {
  const { unit, steps } = chain;
  const root = steps[0];
  if (steps.length < 2) return undefined;
  const known = importsPackage(unit, KNEX);
  if (!known && !steps.some((s) => WHERE.test(s.name) || s.name === 'insert')) return undefined;
  const table = tableOf(unit, root);
  if (table === undefined) return undefined;
  const facts: LayerFacts = {
    layer: 'knex',
    evidence: evidenceOf(unit, KNEX, 'shape'),
    target: table,
    client: termOf(unit, argument(stepNamed(chain, 'transacting'), 0) ?? root.call.expression),
  };
  const filter = knexFilter(unit, steps);
  const returning = hasStep(chain, 'returning');
  const many = manyRows(filter.where);
  const result = returning ? rowsForm(many) : countForm(many);
  const update = stepNamed(chain, 'update');
  if (update !== undefined) {
    return writeOf(chain, facts, 'update', filter, updatePatch(unit, update), update.args.length > 1 && !isPair(unit, update) ? rowsForm(many) : result, 'update');
  }
  const step = stepNamed(chain, 'increment', 'decrement');
  if (step !== undefined) {
    const column = textOf(unit, step.args[0]);
    const patch: Patch = column === undefined ? OPEN_PATCH
      : { set: [{ column, value: undefined, node: step.args[1], source: 'old-value' }], open: false };
    return writeOf(chain, facts, 'update', filter, patch, result, step.name);
  }
  const gone = stepNamed(chain, 'del', 'delete');
  if (gone !== undefined) return writeOf(chain, facts, 'delete', filter, NO_PATCH, result, gone.name);
  const merge = stepNamed(chain, 'merge');
  if (merge !== undefined) {
    return writeOf(chain, facts, 'upsert', filter, mergePatch(chain, merge), returning ? rowsForm(many) : countForm(many), 'merge');
  }
  if (hasStep(chain, 'insert', 'truncate', 'count', 'raw')) return undefined;
  return readOf(chain, facts, filter, hasStep(chain, 'first'), lockOf(chain));
}

/** `.merge({..})`, `.merge(['a', 'b'])` of the inserted values, `.merge()` of all of them. */
function mergePatch(chain: Chain, merge: ChainStep): Patch {
  const { unit } = chain;
  const [given] = merge.args;
  const inserted = (): Patch => patchOf(unit, argument(stepNamed(chain, 'insert'), 0));
  const list = given && followed(unit, given);
  if (given === undefined || list === undefined) return inserted();
  if (!unit.ts.isArrayLiteralExpression(list)) return patchOf(unit, given);
  const names = list.elements.map((x) => textOf(unit, x));
  const all = inserted();
  return { set: all.set.filter((a) => names.includes(a.column)), open: all.open || names.includes(undefined) };
}

function lockOf(chain: Chain): StateRead['lock'] {
  if (!hasStep(chain, 'forUpdate', 'forShare', 'forNoKeyUpdate')) return 'none';
  return hasStep(chain, 'skipLocked') ? 'skip-locked' : hasStep(chain, 'noWait') ? 'nowait' : 'wait';
}

/** `const rows = () => knex('steps')`: the query that a local name without arguments makes anew. */
function madeBy(unit: Unit, call: ts.CallExpression): ts.CallExpression | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const binding = ts.isIdentifier(callee) ? unit.scopes.resolve(callee) : undefined;
  const made = binding && initialiserOf(unit, binding);
  if (made === undefined || !ts.isArrowFunction(made) || made.parameters.length > 0 || ts.isBlock(made.body)) return undefined;
  const query = bare(unit, made.body);
  return ts.isCallExpression(query) && query.arguments.length > 0 ? query : undefined;
}

/** A name of any spelling: declared as Knex, or the transaction that a callback gets. */
function isDeclaredSo(unit: Unit, callee: ts.Expression): boolean {
  const { ts } = unit;
  const e = bare(unit, callee);
  if (!importsPackage(unit, KNEX) || (!ts.isIdentifier(e) && !ts.isPropertyAccessExpression(e))) return false;
  const type = declaredType(unit, e);
  if (type !== undefined) return /\bKnex\b/.test(type.getText(unit.file));
  const d = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  const runner = d !== undefined && ts.isParameter(d) ? d.parent.parent : undefined;
  return runner !== undefined && ts.isCallExpression(runner) && lastSegment(unit, runner.expression) === 'transaction';
}

function tableOf(unit: Unit, root: ChainStep): string | undefined {
  const [first] = root.args;
  const made = first === undefined ? madeBy(unit, root.call) : undefined;
  if (made !== undefined) return tableOf(unit, { ...root, call: made, args: made.arguments, name: lastSegment(unit, made.expression) ?? '' });
  if (first === undefined || root.args.length > 2 || !(ROOT.test(root.name) || isDeclaredSo(unit, root.call.expression))) return undefined;
  const e = followed(unit, first);
  return textOf(unit, first) ?? (unit.ts.isIdentifier(e) && importsPackage(unit, KNEX) ? e.text : undefined);
}

function isPair(unit: Unit, update: ChainStep): boolean {
  return textOf(unit, update.args[0]) !== undefined;
}

function updatePatch(unit: Unit, update: ChainStep): Patch {
  const column = textOf(unit, update.args[0]);
  const value = update.args[1];
  return column !== undefined && value !== undefined ? { set: [assignment(unit, column, value)], open: false } : patchOf(unit, update.args[0]);
}

/** The conditions of all `where` calls of a chain; an `orWhere` makes what stands before it uncertain. */
export function knexFilter(unit: Unit, steps: readonly ChainStep[]): Filter {
  let filter = NO_FILTER;
  for (const step of steps) {
    if (!WHERE.test(step.name)) {
      if (step.name === 'modify') filter = { ...filter, open: true };
      continue;
    }
    const part = whereStep(unit, step);
    filter = /^or/.test(step.name) ? either(filter.where.length === 0 ? [part] : [filter, part]) : both([filter, part]);
  }
  return filter;
}

function whereStep(unit: Unit, step: ChainStep): Filter {
  const word = step.name.replace(/^(?:and|or)/, '').replace(/^W/, 'w');
  const [first, second, third] = step.args;
  if (first === undefined || unit.ts.isSpreadElement(first)) return OPEN_FILTER;
  if (word === 'whereRaw' || word === 'whereExists') return OPEN_FILTER;
  const column = columnText(unit, first);
  if (word === 'whereNull' || word === 'whereNotNull') {
    return column === undefined ? OPEN_FILTER : { where: [condition(column, word === 'whereNull' ? 'is-null' : 'not-null', [])], open: false };
  }
  if (word === 'whereIn' || word === 'whereNotIn') {
    return column === undefined || second === undefined ? OPEN_FILTER : operatorFilter(unit, column, word === 'whereIn' ? 'in' : 'not-in', second);
  }
  if (word !== 'where' && word !== 'whereNot') return column === undefined ? OPEN_FILTER : { where: [condition(column, 'other', [])], open: false };
  const made = column === undefined ? nested(unit, first) : compared(unit, column, second, third);
  return word === 'whereNot' ? negated(made) : made;
}

function columnText(unit: Unit, node: ts.Expression): string | undefined {
  return textOf(unit, node)?.replace(/^.*\./, '');
}

function compared(unit: Unit, column: string, second: ts.Expression | undefined, third: ts.Expression | undefined): Filter {
  if (second === undefined) return OPEN_FILTER;
  if (third === undefined) return valueFilter(unit, column, second);
  const op = operatorNamed(textOf(unit, second) ?? '');
  return op === undefined ? { where: [condition(column, 'other', [])], open: false } : operatorFilter(unit, column, op, third);
}

/** A filter object, or a callback that builds the condition: `.andWhere(q => q.where(..).orWhere(..))`. */
function nested(unit: Unit, node: ts.Expression): Filter {
  const { ts } = unit;
  const fn = functionOf(unit, node);
  if (fn === undefined) return filterOf(unit, node);
  const body = ts.isArrowFunction(fn) && !ts.isBlock(fn.body) ? fn.body : undefined;
  const only = fn.body !== undefined && ts.isBlock(fn.body) && fn.body.statements.length === 1 ? fn.body.statements[0] : undefined;
  const result = body ?? (only && (ts.isReturnStatement(only) || ts.isExpressionStatement(only)) ? only.expression : undefined);
  const steps = result === undefined ? [] : callSteps(unit, result);
  return steps.length === 0 ? OPEN_FILTER : knexFilter(unit, steps);
}

function callSteps(unit: Unit, node: ts.Expression): readonly ChainStep[] {
  const { ts } = unit;
  const steps: ChainStep[] = [];
  let e = bare(unit, node);
  if (ts.isVoidExpression(e)) e = bare(unit, e.expression);
  while (ts.isCallExpression(e)) {
    const callee = bare(unit, e.expression);
    if (!ts.isPropertyAccessExpression(callee)) return [];
    steps.unshift({ name: callee.name.text, args: e.arguments, call: e, receiver: callee.expression });
    e = bare(unit, callee.expression);
  }
  return steps.some((s) => !WHERE.test(s.name)) ? [] : steps;
}

