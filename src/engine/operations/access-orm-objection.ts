import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { hasStep, stepNamed, type Chain } from './access-orm-chain.js';
import { both, condition, manyRows, NO_FILTER, type Filter } from './access-orm-filter.js';
import { knexFilter } from './access-orm-knex.js';
import { loadOf } from './access-orm-loaded.js';
import { isOfPackage, rowsNamed } from './access-orm-model.js';
import { argument, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countForm, handleOrNothingForm, handleOrThrowsForm, rowsForm, type ResultForm } from './result-form.js';
import type { StateAccess, StateRead } from './state-access.js';

const OBJECTION = /^objection$/;
/** Verbs that no other builder with a `query()` has. */
const OWN = /^(?:patch|patchAndFetch|patchAndFetchById|updateAndFetch|updateAndFetchById)$/;
const WRITES = /^(?:patch|update|patchAndFetch|patchAndFetchById|updateAndFetch|updateAndFetchById)$/;

/** `Step.query(trx).patch({..}).where({..})`, `step.$query().patch({..})`, `Step.query().findById(id).forUpdate()`. */
export function objectionAccess(chain: Chain): StateAccess | undefined {
  const { unit, steps } = chain;
  const [root, ...rest] = steps;
  if (!/^\$?query$/.test(root.name) || root.receiver === undefined || rest.length === 0) return undefined;
  const ofRow = root.name === '$query';
  const load = ofRow ? rowLoad(chain) : undefined;
  const model = ofRow ? load?.model : root.receiver;
  const imported = isOfPackage(unit, model, OBJECTION);
  const write = rest.find((s) => WRITES.test(s.name));
  if (!imported && !ofRow && (write === undefined || !OWN.test(write.name))) return undefined;
  const [transaction] = root.args;
  const facts: LayerFacts = {
    layer: 'objection', evidence: imported ? 'package' : 'shape', target: rowsNamed(unit, model ?? root.receiver), client: termOf(unit, transaction ?? root.receiver),
  };
  const filter = both([ofRow ? { where: [condition('id', 'eq', [termOf(unit, root.receiver)])], open: false } : NO_FILTER, byId(chain), knexFilter(unit, rest)]);
  const many = manyRows(filter.where);
  if (write !== undefined) {
    const patch = patchOf(unit, argument(write, /ById$/.test(write.name) ? 1 : 0));
    return { ...writeOf(chain, facts, 'update', filter, patch, resultOf(chain, write.name, many), write.name), ...(load && { loadedBy: load.call }) };
  }
  const gone = rest.find((s) => /^(?:delete|deleteById)$/.test(s.name));
  if (gone !== undefined) return writeOf(chain, facts, 'delete', filter, NO_PATCH, countForm(many), gone.name);
  if (hasStep(chain, 'insert', 'insertAndFetch', 'insertGraph', 'upsertGraph', 'relate', 'unrelate', 'increment', 'decrement', 'onBuild')) return undefined;
  return readOf(chain, facts, filter, hasStep(chain, 'first', 'findOne', 'findById') || !many, lockOf(chain));
}

function byId(chain: Chain): Filter {
  const { unit } = chain;
  const step = stepNamed(chain, 'findById', 'patchAndFetchById', 'updateAndFetchById', 'deleteById');
  const id = argument(step, 0);
  if (id !== undefined) return { where: [condition('id', 'eq', [termOf(unit, id)])], open: false };
  const one = stepNamed(chain, 'findOne');
  return one === undefined || one.args.length === 0 ? NO_FILTER : knexFilter(unit, [{ ...one, name: 'where' }]);
}

function lockOf(chain: Chain): StateRead['lock'] {
  if (!hasStep(chain, 'forUpdate', 'forShare', 'forNoKeyUpdate')) return 'none';
  return hasStep(chain, 'skipLocked') ? 'skip-locked' : hasStep(chain, 'noWait') ? 'nowait' : 'wait';
}

function resultOf(chain: Chain, verb: string, many: boolean): ResultForm {
  if (hasStep(chain, 'throwIfNotFound')) return handleOrThrowsForm();
  if (hasStep(chain, 'returning')) return hasStep(chain, 'first') ? handleOrNothingForm('undefined') : rowsForm(many);
  // `patchAndFetch` of an instance gives the instance, hit or miss.
  return /ById$/.test(verb) ? handleOrNothingForm('undefined') : /AndFetch$/.test(verb) ? { ...handleOrThrowsForm(), silent: true, throwsWhenLost: false, lost: handleOrThrowsForm().won } : countForm(many);
}

/** The load that gave the row of `row.$query()`, and the model it is made on. */
function rowLoad({ unit, steps }: Chain): { readonly call: NonNullable<ReturnType<typeof loadOf>>; readonly model: Chain['last']['receiver'] } | undefined {
  const { ts } = unit;
  const row = steps[0].receiver && bare(unit, steps[0].receiver);
  const binding = row !== undefined && ts.isIdentifier(row) ? unit.scopes.resolve(row) : undefined;
  const call = binding && loadOf(unit, binding);
  if (call === undefined) return undefined;
  let e = bare(unit, call);
  while (ts.isCallExpression(e) || ts.isPropertyAccessExpression(e)) e = bare(unit, e.expression);
  return { call, model: e };
}
