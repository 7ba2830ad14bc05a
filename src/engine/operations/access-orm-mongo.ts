import type ts from 'typescript';
import { bare, followed, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { joined, NO_PATCH, OPEN_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import {
  clientTerm, declaredType, lastSegment, objectOf, stepNamed, textOf, typeName, type Chain,
  type ChainStep,
} from './access-orm-chain.js';
import { condition, filterOf, manyRows, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { isOfPackage, rowsNamed } from './access-orm-model.js';
import { readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countPropertyForm, handleOrNothingForm, handleOrThrowsForm, type ResultForm } from './result-form.js';
import type { StateAccess } from './state-access.js';
import { constant, object, TRUTHY } from './value.js';

const MONGO = /^(?:mongodb|mongoose|@nestjs\/mongoose)$/;
const WRITES = /^(?:update(?:One|Many)|replaceOne|findOneAnd(?:Update|Replace|Delete)|findById(?:AndUpdate|AndDelete)|delete(?:One|Many)|findOneAndRemove)$/;
const READS = /^(?:find|findOne|findById|countDocuments|exists)$/;
const TAILS = /^(?:lean|exec|toArray|limit|sort|skip|select|populate|session|orFail|next|project|hint|maxTimeMS|setOptions|count|batchSize|collation|cursor)$/;

/** Calls of the MongoDB driver and of Mongoose models. */
export function mongoAccess(chain: Chain): StateAccess | undefined {
  const { unit, steps } = chain;
  const at = steps.findIndex((s) => WRITES.test(s.name) || READS.test(s.name));
  const step = steps[at];
  if (step?.receiver === undefined || !steps.slice(at + 1).every((s) => TAILS.test(s.name))) return undefined;
  const imported = isOfPackage(unit, step.receiver, MONGO);
  const filterNode = step.args[0];
  const collection = collectionName(unit, steps[at - 1]);
  const typed = /^(?:Collection|Model)$|\.(?:Collection|Model)$/.test(typeName(unit, declaredType(unit, step.receiver)) ?? '');
  if (at > 0 && collection === undefined) return undefined;
  const read = READS.test(step.name);
  // Names such as `find` and `deleteOne` belong to many classes: without an import only the unmistakable ones count.
  if (!imported && !typed && collection === undefined && (!unmistakable(unit, step) || /(?:service|controller|router|api|client)$/i.test(lastSegment(unit, step.receiver) ?? ''))) {
    return undefined;
  }
  if (filterNode !== undefined && isFunction(unit, filterNode)) return undefined;
  if (imported && read && step.name !== 'findById' && filterNode !== undefined && objectOf(unit, filterNode) === undefined && unit.ts.isStringLiteralLike(filterNode)) {
    return undefined;
  }
  const facts: LayerFacts = {
    layer: isOfPackage(unit, step.receiver, /mongoose$/) ? 'mongoose' : 'mongodb', evidence: imported ? 'package' : 'shape',
    target: collection ?? rowsNamed(unit, step.receiver), client: sessionOf(chain, step) ?? clientTerm(unit, collection === undefined ? step.receiver : steps[at - 1]?.receiver),
  };
  const filter = mongoFilter(unit, step);
  if (read) return readOf(chain, facts, filter, !/^find$/.test(step.name) || steps.at(-1)?.name === 'next');
  const options = objectOf(unit, step.args[2]);
  const upsert = flag('upsert');
  const throws = steps.some((s) => s.name === 'orFail');
  if (/Delete|delete|Remove/.test(step.name)) {
    return writeOf(chain, facts, 'delete', filter, NO_PATCH, step.name.startsWith('delete') ? deleted() : found(), step.name);
  }
  const patch = mongoPatch(unit, step.args[1]);
  const optionsOpen = step.args[2] !== undefined && options === undefined;
  const result = step.name.startsWith('find') ? found()
    : countPropertyForm(['matchedCount', 'modifiedCount'], { many: step.name === 'updateMany' && manyRows(filter.where), also: { acknowledged: constant(true) } });
  return writeOf(chain, facts, upsert ? 'upsert' : 'update', filter, optionsOpen && patch.set.length === 0 ? { ...patch, open: true }
    : patch, result, step.name);

  function flag(name: string): boolean {
    const value = options && propertyOf(unit, options, name);
    return value !== undefined && bare(unit, value).kind === unit.ts.SyntaxKind.TrueKeyword;
  }

  function deleted(): ResultForm {
    return countPropertyForm(['deletedCount'], { many: step?.name === 'deleteMany' && manyRows(filter.where), also: { acknowledged: constant(true) } });
  }

  function found(): ResultForm {
    if (flag('includeResultMetadata') || flag('rawResult')) {
      return { label: 'object with value', won: [object({ ok: constant(1), value: TRUTHY })], lost: [object({ ok: constant(1), value: constant(null) })], throwsWhenLost: false };
    }
    return throws ? handleOrThrowsForm() : handleOrNothingForm('null');
  }
}

/** `{ session }` in the options, or `.session(s)`. */
function sessionOf(chain: Chain, step: ChainStep): Term | undefined {
  const { unit } = chain;
  const options = step.args.slice(1).map((a) => objectOf(unit, a)).findLast((o) => o !== undefined);
  const node = (options && propertyOf(unit, options, 'session')) ?? stepNamed(chain, 'session')?.args[0];
  return node && termOf(unit, node);
}

function isFunction(unit: Unit, node: ts.Expression): boolean {
  const e = followed(unit, node);
  return unit.ts.isArrowFunction(e) || unit.ts.isFunctionExpression(e);
}

/** `db.collection('steps')`, `this.connection.model('Step')`. */
function collectionName(unit: Unit, before: ChainStep | undefined): string | undefined {
  return before !== undefined && /^(?:collection|model)$/.test(before.name) ? textOf(unit, before.args[0]) ?? before.args[0]?.getText(unit.file)
    : undefined;
}

function unmistakable(unit: Unit, step: ChainStep): boolean {
  if (/^findOneAnd|^findByIdAnd/.test(step.name)) return step.args.length > 0;
  if (!/^(?:update(?:One|Many)|replaceOne|delete(?:One|Many))$/.test(step.name)) return false;
  const filter = objectOf(unit, step.args[0]);
  if (step.name.startsWith('delete')) {
    return step.name === 'deleteOne' ? filter !== undefined : filter !== undefined && propertyOf(unit, filter, 'where') === undefined;
  }
  return step.args.length >= 2;
}

function mongoFilter(unit: Unit, step: ChainStep): Filter {
  const first = step.args[0];
  if (first === undefined) return NO_FILTER;
  if (step.name.startsWith('findById')) return { where: [condition('_id', 'eq', [termOf(unit, first)])], open: false };
  return unit.ts.isSpreadElement(first) ? OPEN_FILTER : filterOf(unit, first);
}

const OLD_VALUE = /^\$(?:inc|mul|push|pull|pullAll|pop|addToSet|min|max|bit)$/;

/** `{ $set: {..}, $inc: {..} }` or a plain patch; a pipeline is not read. */
function mongoPatch(unit: Unit, node: ts.Expression | undefined): Patch {
  const { ts } = unit;
  const update = objectOf(unit, node);
  if (update === undefined) return OPEN_PATCH;
  const parts: Patch[] = [];
  for (const p of update.properties) {
    const key = ts.isSpreadAssignment(p) ? undefined : nameText(unit, p.name);
    if (key?.startsWith('$') !== true) continue;
    const value = ts.isPropertyAssignment(p) ? p.initializer : undefined;
    // `$setOnInsert` sets nothing on a document that is there.
    if (key === '$setOnInsert') continue;
    const inner = patchOf(unit, value);
    if (key === '$set') parts.push(inner);
    else if (key === '$unset') parts.push({ ...inner, set: inner.set.map((a) => ({ ...a, value: { kind: 'const', value: undefined }, source: 'code' })) });
    else parts.push({ ...inner, set: inner.set.map((a) => ({ ...a, value: undefined, source: OLD_VALUE.test(key) ? 'old-value' : 'store' })) });
  }
  const plain = patchOf(unit, node);
  return joined([...parts, { set: plain.set.filter((a) => !a.column.startsWith('$')), open: plain.open }]);
}
