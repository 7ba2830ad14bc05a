import { propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { clientTerm, functionOf, lastSegment, objectOf, stepNamed, textOf, type Chain } from './access-orm-chain.js';
import { both, filterOf, manyRows, NO_FILTER, OPEN_FILTER } from './access-orm-filter.js';
import { isOfPackage } from './access-orm-model.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { criteriaOf } from './access-orm-typeorm.js';
import { countForm, countPropertyForm } from './result-form.js';
import type { StateAccess } from './state-access.js';

const MIKRO = /^@mikro-orm\//;
const TYPEORM = /^typeorm$|^@nestjs\/typeorm$/;

const ASKED = /^(?:native(?:Update|Delete)|findOne(?:OrFail)?|find|findAll|upsert)$/;

/** `em.nativeUpdate(E, where, data)`, `em.nativeDelete(E, where)`, `em.findOne(E, where, { lockMode })`, `em.upsert(E, data)`, query builders. */
export function mikroAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const built = builderWrite(chain);
  if (built !== undefined) return built;
  // `em.fork().nativeUpdate(..)`
  const [first] = steps;
  const forks = steps.length === 2 && /^(?:fork|getContext)$/.test(first.name);
  if ((steps.length !== 1 && !forks) || last.receiver === undefined || !ASKED.test(last.name)) return undefined;
  const manager = forks ? first.receiver : last.receiver;
  const imported = manager !== undefined && isOfPackage(unit, manager, MIKRO);
  const native = last.name === 'nativeUpdate' || last.name === 'nativeDelete';
  const read = /^(?:findOne(?:OrFail)?|find|findAll)$/.test(last.name) && (imported || (!(manager !== undefined && isOfPackage(unit, manager, TYPEORM)) && /^(?:em|entityManager|uow|unitOfWork)$/i.test(lastSegment(unit, manager) ?? '')));
  const upsert = last.name === 'upsert' && imported && last.args.length > 1;
  if (!native && !read && !upsert) return undefined;
  const entity = last.args[0];
  if (entity === undefined || functionOf(unit, entity) !== undefined) return undefined;
  const onEntity = (native && last.args.length >= (last.name === 'nativeUpdate' ? 3
    : 2)) || textOf(unit, entity) !== undefined || /^[A-Z]/.test(entity.getText(unit.file));
  const [where, data] = onEntity ? last.args.slice(1) : last.args;
  const target = onEntity ? textOf(unit, entity) ?? entity.getText(unit.file) : lastSegment(unit, last.receiver);
  const facts: LayerFacts = {
    layer: 'mikro-orm',
    evidence: imported ? 'package' : native ? 'shape' : 'name', target,
    client: onEntity ? termOf(unit, last.receiver) : clientTerm(unit, last.receiver),
  };
  if (upsert) return writeOf(chain, facts, 'upsert', NO_FILTER, patchOf(unit, where), ENTITY_FORM);
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

/** `em.createQueryBuilder(Step).update({..}).where({..}).execute()`: the patch is handed to `update` itself. */
function builderWrite(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const [start] = steps;
  if (!/^(?:createQueryBuilder|qb)$/.test(start.name) || !/^(?:execute|run)$/.test(last.name)) return undefined;
  const patch = objectOf(unit, stepNamed(chain, 'update')?.args[0]);
  if (patch === undefined || !isOfPackage(unit, start.receiver, MIKRO)) return undefined;
  const [entity] = start.args;
  const facts: LayerFacts = {
    layer: 'mikro-orm', evidence: 'package', target: entity === undefined ? lastSegment(unit, start.receiver) : textOf(unit, entity) ?? entity.getText(unit.file), client: clientTerm(unit, start.receiver),
  };
  const filter = both(steps.filter((s) => /^(?:where|andWhere)$/.test(s.name)).map((s) => (objectOf(unit, s.args[0]) === undefined ? OPEN_FILTER : filterOf(unit, s.args[0]))));
  const open = steps.some((s) => s.name === 'orWhere');
  return writeOf(chain, facts, 'update', open ? { ...filter, open } : filter, patchOf(unit, patch), countPropertyForm(['affectedRows'], { many: manyRows(filter.where) }), 'update');
}
