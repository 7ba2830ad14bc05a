import { propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { NO_PATCH } from './access-orm-assign.js';
import { declaredType, importsPackage, objectOf, textOf, typeName, type Chain } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { rowsNamed } from './access-orm-model.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { bodyPatch, copiedBy } from './doc-body.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess } from './state-access.js';

const TABLES = /^@azure\/data-tables$/;

/** `table.updateEntity({ partitionKey, rowKey, status }, 'Merge', { etag })`, `table.upsertEntity(..)`, `table.getEntity(partition, row)`. */
export function azureTableAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  if (last.receiver === undefined || steps.length > 1 || !/^(?:update|upsert|get|delete)Entity$/.test(last.name)) return undefined;
  const known = importsPackage(unit, TABLES);
  if (!known && typeName(unit, declaredType(unit, last.receiver)) !== 'TableClient') return undefined;
  const name = rowsNamed(unit, last.receiver)?.replace(/_?(?:table)?_?(?:client)?$/i, '');
  const facts: LayerFacts = { layer: 'azure-table', evidence: known ? 'package' : 'shape', target: name === '' ? undefined : name, client: termOf(unit, last.receiver) };
  const [first, second, third] = last.args;
  if (first === undefined) return undefined;
  if (last.name === 'getEntity') return second && readOf(chain, facts, { where: [condition('rowKey', 'eq', [termOf(unit, second)])], open: false }, true);
  const entity = objectOf(unit, first);
  const id = (last.name === 'deleteEntity' ? second : entity && propertyOf(unit, entity, 'rowKey')) ?? copiedBy(unit, first);
  const identity: Filter = id === undefined ? NO_FILTER : { where: [condition('rowKey', 'eq', [termOf(unit, id)])], open: false };
  // A whole entity that is made here is new, as far as the code tells.
  if (last.name === 'upsertEntity' && /Replace/.test(second?.getText(unit.file) ?? '') && copiedBy(unit, first) === undefined) return undefined;
  const given = objectOf(unit, third);
  const etag = given && propertyOf(unit, given, 'etag');
  // `'*'` fits any version.
  const guard: Filter = etag !== undefined ? (textOf(unit, etag) === undefined ? { where: [condition('etag', 'eq', [termOf(unit, etag)])], open: false } : NO_FILTER) : third !== undefined && given === undefined ? OPEN_FILTER : NO_FILTER;
  const result = guard.where.length > 0 || guard.open ? handleOrThrowsForm() : ENTITY_FORM;
  if (last.name === 'deleteEntity') return writeOf(chain, facts, 'delete', both([identity, guard]), NO_PATCH, result, last.name);
  return writeOf(chain, facts, last.name === 'upsertEntity' ? 'upsert' : 'update', both([identity, guard]), bodyPatch(unit, first, chain.call), result, last.name);
}
