import type ts from 'typescript';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { assignment, joined, NO_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import { evidenceOf, functionOf, hasStep, returnedBy, stepNamed, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { both, condition, either, manyRows, OPEN_FILTER, operatorFilter, operatorNamed, type Filter } from './access-orm-filter.js';
import { inArray, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countPropertyForm, handleOrNothingForm, handleOrThrowsForm, rowsForm, UNKNOWN_FORM, type ResultForm } from './result-form.js';
import type { StateAccess, StateRead } from './state-access.js';
import { constant, object, type Value } from './value.js';

const STARTS = /^(?:updateTable|deleteFrom|selectFrom|insertInto)$/;
const RUNS = /^execute(?:TakeFirst(?:OrThrow)?)?$/;

/** `db.updateTable('t').set({..}).where('c', '=', v).execute()` and its kin. */
export function kyselyAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const start = steps.find((s) => STARTS.test(s.name));
  // A builder that is not run here is run elsewhere, if at all.
  if (start?.receiver === undefined || !RUNS.test(last.name)) return undefined;
  const target = textOf(unit, start.args[0])?.replace(/ as .*$/i, '').replace(/^.*\./, '');
  const facts: LayerFacts = { layer: 'kysely', evidence: evidenceOf(unit, /^kysely$/, 'shape'), target, client: termOf(unit, start.receiver) };
  const filter = both(steps.filter((s) => /^where/.test(s.name) || s.name === '$if' || s.name === '$call').map((s) => kyselyWhere(unit, s)));
  const many = manyRows(filter.where);
  if (start.name === 'selectFrom') return readOf(chain, facts, filter, last.name !== 'execute', lockOf(chain));
  if (start.name === 'insertInto') return upsert();
  if (start.name === 'deleteFrom') return writeOf(chain, facts, 'delete', filter, NO_PATCH, resultOf(chain, 'numDeletedRows', many), start.name);
  const set = joined(steps.filter((s) => s.name === 'set').map((s) => setPatch(unit, s)));
  return writeOf(chain, facts, 'update', filter, set, resultOf(chain, 'numUpdatedRows', many), start.name);

  function upsert(): StateAccess | undefined {
    const conflict = stepNamed(chain, 'onConflict', 'onDuplicateKeyUpdate');
    const fn = functionOf(unit, conflict?.args[0]);
    const built = fn && returnedBy(unit, fn);
    if (conflict === undefined || built?.getText(unit.file).includes('.doNothing(')) return undefined;
    const inner = built === undefined ? [] : callSteps(unit, built);
    const doSet = inner.find((s) => s.name === 'doUpdateSet');
    const guard = inner.filter((s) => s.name === 'where').map((s) => kyselyWhere(unit, s));
    return writeOf(chain, facts, 'upsert', inner.length === 0 ? OPEN_FILTER
      : both(guard), patchOf(unit, doSet?.args[0]), resultOf(chain, 'numInsertedOrUpdatedRows', false), 'insertInto');
  }
}

function setPatch(unit: Unit, step: ChainStep): Patch {
  const column = textOf(unit, step.args[0]);
  const value = step.args[1];
  return column !== undefined && value !== undefined ? { set: [assignment(unit, column, value)], open: false } : patchOf(unit, step.args[0]);
}

function callSteps(unit: Unit, node: ts.Expression): readonly ChainStep[] {
  const { ts } = unit;
  const steps: ChainStep[] = [];
  let e: ts.Expression = node;
  while (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression)) {
    steps.unshift({ name: e.expression.name.text, args: e.arguments, call: e, receiver: e.expression.expression });
    e = e.expression.expression;
  }
  return steps;
}

/** `.where('c', '=', v)`, `.where(eb => eb.or([eb('a', '=', 1), ..]))`. */
function kyselyWhere(unit: Unit, step: ChainStep): Filter {
  const [first] = step.args;
  if (first === undefined || step.name !== 'where') return OPEN_FILTER;
  if (step.args.length === 3) return compared(unit, step.args);
  const fn = functionOf(unit, first);
  const built = fn && returnedBy(unit, fn);
  return built === undefined ? OPEN_FILTER : expression(unit, built);
}

function compared(unit: Unit, args: readonly ts.Expression[]): Filter {
  const [left, op, right] = args;
  const column = textOf(unit, left)?.replace(/^.*\./, '');
  if (column === undefined || right === undefined) return OPEN_FILTER;
  const known = operatorNamed(textOf(unit, op) ?? '');
  return known === undefined ? { where: [condition(column, 'other', [])], open: false } : operatorFilter(unit, column, known, right);
}

function expression(unit: Unit, node: ts.Expression, depth = 0): Filter {
  const { ts } = unit;
  if (!ts.isCallExpression(node) || depth > 6) return OPEN_FILTER;
  const callee = node.expression;
  if (ts.isIdentifier(callee)) return callee.text === 'and' || callee.text === 'or' ? listed(callee.text) : compared(unit, node.arguments);
  return ts.isPropertyAccessExpression(callee) ? listed(callee.name.text) : OPEN_FILTER;

  function listed(name: string): Filter {
    const list = ts.isCallExpression(node) ? node.arguments[0] : undefined;
    if (list === undefined || !ts.isArrayLiteralExpression(list)) return OPEN_FILTER;
    const parts = list.elements.map((x) => expression(unit, x, depth + 1));
    return name === 'and' ? both(parts) : name === 'or' ? either(parts) : OPEN_FILTER;
  }
}

function lockOf(chain: Chain): StateRead['lock'] {
  if (!hasStep(chain, 'forUpdate', 'forShare', 'forNoKeyUpdate')) return 'none';
  return hasStep(chain, 'skipLocked') ? 'skip-locked' : hasStep(chain, 'noWait') ? 'nowait' : 'wait';
}

function resultOf(chain: Chain, count: string, many: boolean): ResultForm {
  const run = chain.last.name;
  if (hasStep(chain, 'returning', 'returningAll')) {
    return run === 'execute' ? rowsForm(many) : run === 'executeTakeFirst' ? handleOrNothingForm('undefined') : handleOrThrowsForm();
  }
  if (hasStep(chain, '$if', '$call')) return UNKNOWN_FORM;
  if (run !== 'execute') return countPropertyForm([count], { many, big: true });
  const hit: Value = many ? { kind: 'positive', big: true } : constant(1n);
  return inArray(`array with ${count}`, [object({ [count]: hit })], [object({ [count]: constant(0n) })]);
}

