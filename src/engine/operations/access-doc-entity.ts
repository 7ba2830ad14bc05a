import type ts from 'typescript';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { patchOf } from './access-orm-assign.js';
import { functionOf, hasStep, importsPackage, objectOf, returnedBy, stepNamed, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { both, condition, filterOf, NO_FILTER, OPEN_FILTER, operatorFilter, operatorNamed, valueFilter, type Filter } from './access-orm-filter.js';
import { isOfPackage, rowsNamed } from './access-orm-model.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess } from './state-access.js';

const ELECTRO = /^electrodb$/;
const DYNAMOOSE = /^dynamoose$/;

/** Entities over DynamoDB: `Step.update(key).set({..}).where(..).go()` of ElectroDB, `Step.update(key, {..}, { condition })` of dynamoose. */
export function entityAccess(chain: Chain): StateAccess | undefined {
  const { unit, steps, last } = chain;
  const [root] = steps;
  if (root.receiver === undefined || !/^(?:update|patch|get)$/.test(root.name)) return undefined;
  const [key, patch, options] = root.args;
  if (key === undefined) return undefined;
  if (last.name === 'go' && (isOfPackage(unit, root.receiver, ELECTRO) || hasStep(chain, 'set'))) return electro(chain, root, key);
  if (steps.length > 1 || !isOfPackage(unit, root.receiver, DYNAMOOSE)) return undefined;
  const facts: LayerFacts = { layer: 'dynamoose', evidence: 'package', target: rowsNamed(unit, root.receiver), client: termOf(unit, root.receiver) };
  if (root.name === 'get') return readOf(chain, facts, keyOf(unit, key), true);
  if (patch === undefined || root.name !== 'update') return undefined;
  const guard = conditionIn(unit, options);
  return writeOf(chain, facts, 'update', both([keyOf(unit, key), guard]), dynamoosePatch(unit, patch), guard === NO_FILTER ? ENTITY_FORM : handleOrThrowsForm());
}

function electro(chain: Chain, root: ChainStep, key: ts.Expression): StateAccess | undefined {
  const { unit } = chain;
  const facts: LayerFacts = { layer: 'electrodb', evidence: importsPackage(unit, ELECTRO) ? 'package' : 'shape', target: rowsNamed(unit, root.receiver), client: root.receiver && termOf(unit, root.receiver) };
  if (root.name === 'get') return readOf(chain, facts, keyOf(unit, key), true);
  const set = stepNamed(chain, 'set');
  const wheres = chain.steps.filter((s) => s.name === 'where');
  const guard = wheres.length === 0 ? NO_FILTER : both(wheres.map((s) => electroWhere(unit, s.args[0])));
  return writeOf(chain, facts, 'update', both([keyOf(unit, key), guard]), patchOf(unit, set?.args[0]), wheres.length === 0 ? ENTITY_FORM : handleOrThrowsForm(), root.name);
}

/** A key object, or the value of the key itself. */
function keyOf(unit: Unit, key: ts.Expression): Filter {
  return objectOf(unit, key) === undefined ? { where: [condition('id', 'eq', [termOf(unit, key)])], open: false } : filterOf(unit, key);
}

/** `({ status }, { eq }) => eq(status, 'pending')`, `(attr, op) => op.eq(attr.status, 'pending')`; text around several is not read. */
function electroWhere(unit: Unit, node: ts.Expression | undefined): Filter {
  const { ts } = unit;
  const fn = functionOf(unit, node);
  const result = fn && returnedBy(unit, fn);
  const call = result && bare(unit, result);
  if (call === undefined || !ts.isCallExpression(call)) return OPEN_FILTER;
  const [attribute, value] = call.arguments;
  const callee = bare(unit, call.expression);
  const op = operatorNamed(ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '');
  const named = attribute && bare(unit, attribute);
  const column = named === undefined ? undefined : ts.isPropertyAccessExpression(named) ? named.name.text : ts.isIdentifier(named) ? named.text : undefined;
  return op === undefined || column === undefined || value === undefined ? OPEN_FILTER : operatorFilter(unit, column, op, value);
}

/** `{ $SET: { status } }` or the plain values. */
function dynamoosePatch(unit: Unit, node: ts.Expression): ReturnType<typeof patchOf> {
  const object = objectOf(unit, node);
  const set = object && propertyOf(unit, object, '$SET');
  return patchOf(unit, set ?? node);
}

/** `new Condition('status').eq('pending')`, `new Condition().where('status').eq('pending')`; longer ones are left open. */
function conditionIn(unit: Unit, options: ts.Expression | undefined): Filter {
  const { ts } = unit;
  if (options === undefined) return NO_FILTER;
  const object = objectOf(unit, options);
  if (object === undefined) return OPEN_FILTER;
  const node = propertyOf(unit, object, 'condition');
  if (node === undefined) return NO_FILTER;
  const call = followed(unit, node);
  if (!ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression)) return OPEN_FILTER;
  const on = bare(unit, call.expression.expression);
  const named = ts.isNewExpression(on) ? on.arguments?.[0] : ts.isCallExpression(on) && /\.(?:where|filter|attribute)$/.test(on.expression.getText(unit.file)) ? on.arguments[0] : undefined;
  const column = textOf(unit, named);
  const op = operatorNamed(call.expression.name.text);
  const [value] = call.arguments;
  if (column === undefined || op === undefined || value === undefined || /\.(?:and|or|not)\(/.test(call.getText(unit.file))) return OPEN_FILTER;
  return op === 'eq' ? valueFilter(unit, column, value) : operatorFilter(unit, column, op, value);
}
