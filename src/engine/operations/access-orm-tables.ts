import type ts from 'typescript';
import { propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import {
  clientTerm, evidenceOf, functionOf, hasStep, importsPackage, lastSegment, objectOf, textOf, type Chain,
  type ChainStep,
} from './access-orm-chain.js';
import {
  both, condition, filterOf, manyRows, negated, NO_FILTER, OPEN_FILTER, operatorFilter, operatorNamed, valueFilter,
  type Filter } from './access-orm-filter.js';
import { inObject, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countForm, type ResultForm } from './result-form.js';
import type { StateAccess } from './state-access.js';
import { array, constant, object, TRUTHY } from './value.js';
import { criteriaOf } from './access-orm-typeorm.js';

/** `em.nativeUpdate(E, where, data)`, `em.nativeDelete(E, where)`, `em.findOne(E, where, { lockMode })`. */
export function mikroAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  if (steps.length !== 1 || last.receiver === undefined) return undefined;
  const imported = importsPackage(unit, /^@mikro-orm\//);
  const native = last.name === 'nativeUpdate' || last.name === 'nativeDelete';
  // TypeORM calls its managers `em` too.
  const isNamed = !importsPackage(unit, /^typeorm$|^@nestjs\/typeorm$/) && /^(?:em|entityManager|uow|unitOfWork)$/i.test(lastSegment(unit, last.receiver) ?? '');
  const read = /^(?:findOne(?:OrFail)?|find|findAll)$/.test(last.name) && (imported || isNamed);
  if (!native && !read) return undefined;
  const entity = last.args[0];
  if (entity === undefined || functionOf(unit, entity) !== undefined) return undefined;
  const onEntity = (native && last.args.length >= (last.name === 'nativeUpdate' ? 3
    : 2)) || textOf(unit, entity) !== undefined || /^[A-Z]/.test(entity.getText(unit.file));
  const [where, data] = onEntity ? last.args.slice(1) : last.args;
  const target = onEntity ? textOf(unit, entity) ?? entity.getText(unit.file) : lastSegment(unit, last.receiver);
  const facts: LayerFacts = {
    layer: 'mikro-orm',
    evidence: evidenceOf(unit, /^@mikro-orm\//, native ? 'shape' : 'name'), target,
    client: onEntity ? termOf(unit, last.receiver) : clientTerm(unit, last.receiver),
  };
  // MikroORM's repositories of frameworks take `{ where, options }`.
  const inner = objectOf(unit, where);
  const named = inner && propertyOf(unit, inner, 'where');
  const filter = named !== undefined ? criteriaOf(unit, named) : where === undefined ? NO_FILTER : criteriaOf(unit, where);
  if (last.name === 'nativeUpdate') return writeOf(chain, facts, 'update', filter, patchOf(unit, data), countForm(manyRows(filter.where)));
  if (last.name === 'nativeDelete') return writeOf(chain, facts, 'delete', filter, NO_PATCH, countForm(manyRows(filter.where)));
  const lock = data?.getText(unit.file) ?? '';
  return readOf(chain, facts, filter, last.name.startsWith('findOne'), /PESSIMISTIC_PARTIAL/.test(lock) ? 'skip-locked' : /PESSIMISTIC_WRITE_OR_FAIL/.test(lock) ? 'nowait' : /PESSIMISTIC/.test(lock) ? 'wait'
    : 'none');
}

const SUPABASE = /^@supabase\//;
const FILTERS = /^(?:eq|neq|gt|gte|lt|lte|is|in|not|match|or|filter|contains|overlaps|like|ilike)$/;

/** `.from('t').update({..}).eq('id', id).select()`, also on a table in a variable. */
export function supabaseAccess(chain: Chain): StateAccess | undefined {
  const { unit, steps } = chain;
  const start = steps.findIndex((s) => /^(?:update|upsert|delete|select)$/.test(s.name));
  const op = steps[start];
  if (op?.receiver === undefined) return undefined;
  const from = steps[start - 1];
  const table = from?.name === 'from' ? textOf(unit, from.args[0]) ?? from.args[0]?.getText(unit.file) : lastSegment(unit, op.receiver);
  const filters = steps.slice(start + 1).filter((s) => FILTERS.test(s.name));
  const known = importsPackage(unit, SUPABASE);
  // `db.select().from(t)` is another builder; a chain without a filter is none of this layer unless it starts at `.from('t')`.
  if ((start > 0 && from?.name !== 'from') || (filters.length === 0 && !(known && op.name === 'upsert')) || (op.name !== 'delete' && op.name !== 'select' && objectOf(unit, op.args[0]) === undefined && !known)) {
    return undefined;
  }
  if (op.name === 'delete' && op.args.length > 0) return undefined;
  const facts: LayerFacts = {
    layer: 'supabase',
    evidence: evidenceOf(unit, SUPABASE, 'shape'),
    target: table,
    client: from?.name === 'from' && from.receiver !== undefined ? termOf(unit, from.receiver) : clientTerm(unit, op.receiver),
  };
  const filter = both(filters.map((s) => supabaseFilter(chain, s)));
  const single = hasStep(chain, 'single', 'maybeSingle');
  if (op.name === 'select') return readOf(chain, facts, filter, single);
  const verb = op.name === 'update' ? 'update' : op.name === 'upsert' ? 'upsert' : 'delete';
  const patch = op.name === 'delete' ? NO_PATCH : patchOf(unit, op.args[0]);
  return writeOf(chain, facts, verb, op.name === 'upsert' ? NO_FILTER : filter, patch, supabaseResult(chain, manyRows(filter.where)), op.name);
}

function supabaseResult(chain: Chain, many: boolean): ResultForm {
  const error = constant(null);
  if (!hasStep(chain, 'select')) return inObject('object with error', { data: constant(null), error }, { data: constant(null), error }, true);
  if (hasStep(chain, 'single')) return inObject('object with data', { data: TRUTHY, error }, { data: constant(null), error: TRUTHY });
  if (hasStep(chain, 'maybeSingle')) return inObject('object with data', { data: TRUTHY, error }, { data: constant(null), error });
  return inObject('object with data', { data: array([object({})], many ? undefined : 1), error }, { data: array([], 0), error });
}

function supabaseFilter(chain: Chain, step: ChainStep): Filter {
  const { unit } = chain;
  const column = textOf(unit, step.args[0]);
  const [, second, third] = step.args;
  if (step.name === 'match') return filterOf(unit, step.args[0]);
  if (step.name === 'or' || column === undefined || second === undefined) return OPEN_FILTER;
  if (step.name === 'not' || step.name === 'filter') {
    if (third === undefined) return OPEN_FILTER;
    const made = worded(textOf(unit, second) ?? '', third);
    return step.name === 'not' ? negated(made) : made;
  }
  return worded(step.name, second);

  function worded(word: string, value: ts.Expression): Filter {
    const name = column ?? '';
    if (word === 'is') return valueFilter(unit, name, value);
    const op = operatorNamed(word);
    if (op === undefined) return { where: [condition(name, 'other', [])], open: false };
    const list = textOf(unit, value);
    // The list of `.not('c', 'in', '(a,b)')` is text.
    if (op === 'in' && list !== undefined && /^\(.*\)$/s.test(list)) {
      return { where: [condition(name, 'in', list.slice(1, -1).split(',').map((v) => ({ kind: 'const', value: v.trim().replace(/^"(.*)"$/, '$1') })))], open: false };
    }
    return operatorFilter(unit, name, op, value);
  }
}
