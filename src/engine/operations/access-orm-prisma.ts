import { propertyOf } from '../syntax/expression.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { clientTerm, evidenceOf, importsPackage, lastSegment, objectOf, type Chain } from './access-orm-chain.js';
import { termOf } from '../syntax/term-of.js';
import { condition, filterOf, manyRows, NO_FILTER, OPEN_FILTER } from './access-orm-filter.js';
import { argument, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countPropertyForm, handleOrThrowsForm, rowsForm } from './result-form.js';
import { withoutUndefined } from './dropped-filter.js';
import type { StateAccess } from './state-access.js';

const WRITES = new Set(['update', 'updateMany', 'updateManyAndReturn', 'upsert', 'delete', 'deleteMany']);
const READS = /^(?:findFirst|findUnique)(?:OrThrow)?$|^(?:findMany|count)$/;
const PRISMA = /^@prisma\/|(?:^|\/)prisma(?:\/|$|\.)|generated\/prisma/;

/** `x.model.update({ where, data })` and its kin, also on a delegate in a field. */
export function prismaAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  if (steps.length !== 1 || last.receiver === undefined || last.args.length > 1) return undefined;
  const write = WRITES.has(last.name);
  if (!write && !READS.test(last.name)) return undefined;
  const arg = argument(last, 0);
  const options = objectOf(unit, arg);
  const where = options && propertyOf(unit, options, 'where');
  const data = options && propertyOf(unit, options, 'data');
  const base = unit.ts.isPropertyAccessExpression(last.receiver) ? lastSegment(unit, last.receiver.expression) ?? '' : '';
  const shape = (where !== undefined && /prisma$|^(?:tx|trx)$/i.test(base)) || last.name.startsWith('findUnique') || (write && data !== undefined) || (where !== undefined && /^(?:upsert|\w+Many|findFirst\w*)$/.test(last.name));
  const sure = importsPackage(unit, PRISMA) || shape;
  if (options === undefined ? !(importsPackage(unit, PRISMA) && arg !== undefined && last.name.startsWith('update')) : where === undefined && data === undefined) {
    return undefined;
  }
  if (!sure) return undefined;
  // `db.query.steps.findFirst({ where: eq(..) })` is Drizzle, `repo.find({ where })` TypeORM: their own layers read them.
  if (where !== undefined && unit.ts.isCallExpression(where) && objectOf(unit, where) === undefined && !write) return undefined;
  // `payload.update({ collection: 'orders', id, data })`: the collection is named in the call.
  const collection = options && where === undefined ? propertyOf(unit, options, 'collection') : undefined;
  const facts: LayerFacts = {
    layer: importsPackage(unit, /^typeorm$/) ? 'typeorm' : 'prisma', evidence: evidenceOf(unit, PRISMA, 'shape'), target: collection === undefined ? lastSegment(unit, last.receiver) : unit.ts.isStringLiteralLike(collection) ? collection.text : undefined, client: clientTerm(unit, last.receiver),
  };
  const id = options && propertyOf(unit, options, 'id');
  const filter = options === undefined ? OPEN_FILTER : where !== undefined ? withoutUndefined(unit, where, filterOf(unit, where)) : collection !== undefined && id !== undefined ? { where: [condition('id', 'eq', [termOf(unit, id)])], open: false } : NO_FILTER;
  if (!write) return readOf(chain, facts, filter, last.name !== 'findMany');
  const many = manyRows(filter.where);
  const patch = last.name.startsWith('update') ? patchOf(unit, data) : last.name === 'upsert' ? patchOf(unit, options && propertyOf(unit, options, 'update'))
    : NO_PATCH;
  const verb = last.name === 'upsert' ? 'upsert' : last.name.startsWith('delete') ? 'delete' : 'update';
  const result = last.name === 'updateManyAndReturn' ? rowsForm(many) : last.name.endsWith('Many') ? countPropertyForm(['count'], { many })
    : handleOrThrowsForm();
  return writeOf(chain, facts, verb, filter, patch, result);
}
