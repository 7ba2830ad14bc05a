import type ts from 'typescript';
import { bare, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { objectOf, type Chain } from './access-orm-chain.js';
import { condition, filterOf, manyRows, NO_FILTER } from './access-orm-filter.js';
import { loadOf } from './access-orm-loaded.js';
import { isOfPackage, rowsNamed } from './access-orm-model.js';
import { ENTITY_FORM, inArray, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countForm } from './result-form.js';
import type { StateAccess, StateRead, StateWrite } from './state-access.js';
import { array, constant, object, type Value } from './value.js';

const SEQUELIZE = /^sequelize(?:-typescript)?$|^@sequelize\//;

const ASKED = /^(?:update|destroy|findByPk|findOne|findAll|count)$/;

/** `Model.update(patch, { where })`, `Model.destroy({ where })`, `Model.findByPk(id, { lock })`. */
export function sequelizeAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  if (steps.length !== 1 || last.receiver === undefined || !ASKED.test(last.name)) return undefined;
  const imported = isOfPackage(unit, last.receiver, SEQUELIZE);
  const row = last.name === 'update' ? rowUpdate(chain) : undefined;
  if (row !== undefined) return row;
  const options = objectOf(unit, last.args[last.name === 'update' || last.name === 'increment' || last.name === 'findByPk' ? 1 : 0]);
  const transaction = options && propertyOf(unit, options, 'transaction');
  const facts: LayerFacts = {
    layer: 'sequelize',
    evidence: imported ? 'package' : 'shape',
    target: rowsNamed(unit, last.receiver),
    client: transaction && termOf(unit, transaction),
  };
  const where = options && propertyOf(unit, options, 'where');
  const filter = where === undefined ? NO_FILTER : filterOf(unit, where);
  if (last.name === 'update' && options !== undefined && where !== undefined && (imported || objectOf(unit, last.args[0]) !== undefined)) {
    const hit: Value = manyRows(filter.where) ? { kind: 'positive', big: false } : constant(1);
    const returning = propertyOf(unit, options, 'returning') !== undefined;
    const result = inArray('array with the count', returning ? [hit, array([object({})], undefined)] : [hit], returning ? [constant(0), array([], 0)]
      : [constant(0)]);
    return writeOf(chain, facts, 'update', filter, patchOf(unit, last.args[0]), result);
  }
  if (last.name === 'destroy' && where !== undefined) return writeOf(chain, facts, 'delete', filter, NO_PATCH, countForm(manyRows(filter.where)));
  if (!imported) return last.name === 'findByPk' && last.args[0] !== undefined ? read(last.args[0]) : undefined;
  if (last.name === 'findByPk' && last.args[0] !== undefined) return read(last.args[0]);
  return /^(?:findOne|findAll|count)$/.test(last.name) && options !== undefined ? readOf(chain, facts, filter, last.name !== 'findAll', lock())
    : undefined;

  function read(key: ts.Expression): StateRead {
    return readOf(chain, facts, { where: [condition('id', 'eq', [termOf(unit, key)])], open: false }, true, lock());
  }

  function lock(): StateRead['lock'] {
    const node = options && propertyOf(unit, options, 'lock');
    if (options === undefined || node === undefined || bare(unit, node).kind === unit.ts.SyntaxKind.FalseKeyword) return 'none';
    return propertyOf(unit, options, 'skipLocked') === undefined ? 'wait' : 'skip-locked';
  }
}

/** `run.update({ status }, { transaction })` of a row that a model gave: by its primary key alone, unless the model keeps a version. */
function rowUpdate({ unit, last, call, steps }: Chain): StateWrite | undefined {
  const { ts } = unit;
  const row = last.receiver && bare(unit, last.receiver);
  const [patch, options] = last.args;
  if (row === undefined || patch === undefined || !ts.isIdentifier(row)) return undefined;
  const binding = unit.scopes.resolve(row);
  const load = binding && loadOf(unit, binding);
  const finder = load && bare(unit, load.expression);
  const model = finder && ts.isPropertyAccessExpression(finder) ? finder.expression : undefined;
  if (load === undefined || binding === undefined || !isOfPackage(unit, model, SEQUELIZE)) return undefined;
  const given = options && objectOf(unit, options);
  const transaction = given && propertyOf(unit, given, 'transaction');
  const facts: LayerFacts = { layer: 'sequelize', evidence: 'package', target: rowsNamed(unit, model), client: transaction && termOf(unit, transaction) };
  const versioned = /\bversion:\s*true/.test(unit.file.text);
  const filter = { where: [condition('id', 'eq', [termOf(unit, binding.id)])], open: versioned };
  return { ...writeOf({ unit, last, call, steps }, facts, 'save', filter, patchOf(unit, patch), { ...ENTITY_FORM, throwsWhenLost: versioned }), loadedBy: load };
}
