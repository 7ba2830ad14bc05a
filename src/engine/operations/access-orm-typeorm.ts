import type ts from 'typescript';
import { isOfPackage, rowsNamed } from './access-orm-model.js';
import { parseSql } from '../embedded/sql-parse.js';
import type { SqlCondition, SqlOperator, SqlValue } from '../embedded/sql-types.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { NO_PATCH, OPEN_PATCH, patchOf } from './access-orm-assign.js';
import {
  clientTerm, declaredType, evidenceOf, hasStep, importsPackage, lastSegment, objectOf, stepNamed, textOf,
  typeArgument, typeName, type Chain, type ChainStep,
} from './access-orm-chain.js';
import { both, condition, either, filterOf, manyRows, negated, NO_FILTER, OPEN_FILTER, type ConditionOp, type Filter } from './access-orm-filter.js';
import { argument, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { countPropertyForm } from './result-form.js';
import type { StateAccess, StateRead } from './state-access.js';

const TYPEORM = /^typeorm$|^@nestjs\/typeorm$/;
const REPOSITORY = /(?:^r|R)epo(?:sitory)?$|^(?:em|manager|entityManager|dataSource)$|(?:Entity|Transaction)Manager$/;
const READS = /^(?:findOne(?:By|OrFail|ByOrFail)?|find(?:By)?|findAndCount|count|countBy|exists?|existsBy)$/;

const ASKED = new RegExp(`^(?:update|increment|decrement|delete|softDelete|upsert)$|${READS.source}`);

/** `repo.update(criteria, patch)`, `manager.update(Entity, criteria, patch)`, query builders, `repo.findOne({ where, lock })`. */
export function typeormAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  if (hasStep(chain, 'createQueryBuilder')) return builderAccess(chain);
  const receiver = last.receiver;
  if (receiver === undefined || !ASKED.test(last.name)) return undefined;
  // `ds.getRepository(Step).update(..)`
  const got = steps.length === 2 && /^(?:getRepository|withRepository)$/.test(steps[0].name) ? steps[0] : undefined;
  if (steps.length > 1 && got === undefined) return undefined;
  const type = declaredType(unit, receiver);
  const named = /Repository$|EntityManager$/.test(typeName(unit, type) ?? '') || REPOSITORY.test(lastSegment(unit, receiver) ?? '') || got !== undefined;
  const imported = isOfPackage(unit, receiver, TYPEORM);
  if (!imported && !named) return undefined;
  // `manager.update(schema, criteria, patch)`: the first of three is the entity, whatever it is called.
  const entity = isEntity(unit, last.args[0]) || (last.name === 'update' && last.args.length === 3 && imported) ? last.args[0] : undefined;
  const [criteria, patch] = entity === undefined ? last.args : last.args.slice(1);
  const target = entity === undefined ? (got && got.args[0]?.getText(unit.file)) ?? typeArgument(unit, type) ?? rowsNamed(unit, receiver)
    : textOf(unit, entity) ?? entity.getText(unit.file);
  const client = got?.receiver ?? receiver;
  const facts: LayerFacts = {
    layer: 'typeorm',
    evidence: imported ? 'package' : 'name', target,
    client: entity === undefined ? clientTerm(unit, client) : termOf(unit, client),
  };
  if (last.name === 'update' && criteria !== undefined && patch !== undefined && isPatch(unit, patch, imported && named)) {
    const filter = criteriaOf(unit, criteria);
    return writeOf(chain, facts, 'update', filter, patchOf(unit, patch), affected(filter));
  }
  if ((last.name === 'increment' || last.name === 'decrement') && criteria !== undefined) {
    const column = textOf(unit, patch);
    const filter = criteriaOf(unit, criteria);
    return column === undefined ? undefined
      : writeOf(chain, facts, 'update', filter, { set: [{ column, value: undefined, node: undefined, source: 'old-value' }], open: false }, affected(filter));
  }
  if (/^(?:delete|softDelete)$/.test(last.name) && criteria !== undefined && (imported || isPatch(unit, criteria, false)) && last.args.length <= 2) {
    const filter = criteriaOf(unit, criteria);
    return writeOf(chain, facts, 'delete', filter, NO_PATCH, affected(filter));
  }
  if (last.name === 'upsert' && criteria !== undefined && imported) {
    return writeOf(chain, facts, 'upsert', NO_FILTER, patchOf(unit, criteria), affected(NO_FILTER));
  }
  return READS.test(last.name) && !isCallback(unit, last.args[0]) && (imported || entity !== undefined || objectOf(unit, criteria) !== undefined) ? readAccess()
    : undefined;

  function readAccess(): StateRead {
    const options = objectOf(unit, criteria);
    const where = options && propertyOf(unit, options, 'where');
    const by = /By/.test(last.name) || where === undefined;
    const filter = criteria === undefined ? NO_FILTER : by ? criteriaOf(unit, criteria) : filterOf(unit, where);
    return readOf(chain, facts, filter, !/^find(?:By|AndCount)?$/.test(last.name), lockOf(options && propertyOf(unit, options, 'lock')));
  }

  function lockOf(node: ts.Expression | undefined): StateRead['lock'] {
    const lock = objectOf(unit, node);
    const mode = lock && textOf(unit, propertyOf(unit, lock, 'mode'));
    if (lock === undefined || mode === undefined || !mode.startsWith('pessimistic')) return 'none';
    const conflict = textOf(unit, propertyOf(unit, lock, 'onLocked')) ?? mode;
    return /skip_locked|partial/.test(conflict) ? 'skip-locked' : /nowait|or_fail/.test(conflict) ? 'nowait' : 'wait';
  }
}

function affected(filter: Filter): ReturnType<typeof countPropertyForm> {
  return countPropertyForm(['affected'], { many: manyRows(filter.where) });
}

function isCallback(unit: Unit, node: ts.Expression | undefined): boolean {
  const e = node && followed(unit, node);
  return e !== undefined && (unit.ts.isArrowFunction(e) || unit.ts.isFunctionExpression(e));
}

function isPatch(unit: Unit, node: ts.Expression, sure: boolean): boolean {
  return sure || objectOf(unit, node) !== undefined;
}

/** A class or the text of its name as the first of three arguments, or of two on a read. */
function isEntity(unit: Unit, node: ts.Expression | undefined): boolean {
  const { ts } = unit;
  const e = node && bare(unit, node);
  if (e === undefined) return false;
  return (ts.isIdentifier(e) && /^[A-Z]/.test(e.text) && !/^[A-Z0-9_]+$/.test(e.text)) || (ts.isStringLiteralLike(e) && /^[A-Z]\w*$/.test(e.text));
}

/** Criteria are a filter object, or the identity itself. */
export function criteriaOf(unit: Unit, node: ts.Expression): Filter {
  const { ts } = unit;
  if (objectOf(unit, node) !== undefined) return filterOf(unit, node);
  const e = followed(unit, node);
  if (ts.isArrayLiteralExpression(e)) return { where: [condition('id', 'in', e.elements.map((x) => termOf(unit, x)))], open: false };
  // A criteria object that comes from elsewhere is no identity.
  if (ts.isCallExpression(e) || /where|filter|criteria|condition|options|query/i.test(lastSegment(unit, e) ?? '')) return OPEN_FILTER;
  return { where: [condition('id', 'eq', [termOf(unit, node)])], open: false };
}

/** `createQueryBuilder().update(E).set(..).where('..', {..}).execute()` and selects. */
function builderAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const start = stepNamed(chain, 'createQueryBuilder');
  const update = stepNamed(chain, 'update');
  const gone = stepNamed(chain, 'delete', 'softDelete');
  if (start === undefined) return undefined;
  const from = argument(update, 0) ?? argument(stepNamed(chain, 'from'), 0) ?? (start.args.length > 1 || isEntity(unit, start.args[0]) ? start.args[0]
    : undefined);
  const named = from !== undefined && objectOf(unit, from) === undefined ? from.getText(unit.file) : undefined;
  const target = textOf(unit, from) ?? named ?? typeArgument(unit, declaredType(unit, start.receiver)) ?? rowsNamed(unit, start.receiver);
  const layer = importsPackage(unit, /^@mikro-orm\//) ? 'mikro-orm' : 'typeorm';
  const facts: LayerFacts = {
    layer,
    evidence: evidenceOf(unit, /^typeorm$|^@nestjs\/typeorm$|^@mikro-orm\//, 'shape'), target,
    client: clientTerm(unit, start.receiver),
  };
  const filter = builderFilter(unit, steps);
  if (last.name === 'execute' && update !== undefined) {
    const patch = argument(stepNamed(chain, 'set'), 0);
    return writeOf(chain, facts, 'update', filter, patch === undefined ? OPEN_PATCH : patchOf(unit, patch), affected(filter), 'update');
  }
  if (last.name === 'execute' && gone !== undefined) return writeOf(chain, facts, 'delete', filter, NO_PATCH, affected(filter), gone.name);
  if (!/^(?:getOne(?:OrFail)?|getMany|getRaw(?:One|Many)|getCount|getResult(?:List)?|getSingleResult)$/.test(last.name)) return undefined;
  const lock = textOf(unit, argument(stepNamed(chain, 'setLock'), 0));
  const held = lock?.startsWith('pessimistic') !== true ? 'none' : hasStep(chain, 'setOnLocked') || lock.includes('partial') ? 'skip-locked' : 'wait';
  return readOf(chain, facts, filter, /One|Single/.test(last.name), held);
}

function builderFilter(unit: Unit, steps: readonly ChainStep[]): Filter {
  const parameters = steps.filter((s) => s.name === 'setParameters').map((s) => s.args[0]);
  const single = new Map(steps.filter((s) => s.name === 'setParameter').map((s) => [textOf(unit, s.args[0]), s.args[1]] as const));
  let filter = NO_FILTER;
  for (const step of steps) {
    if (!/^(?:where|andWhere|orWhere|whereInIds)$/.test(step.name)) continue;
    const part = whereText(step);
    filter = step.name === 'orWhere' ? either([filter, part]) : both([filter, part]);
  }
  return filter;

  function whereText(step: ChainStep): Filter {
    const [first, second] = step.args;
    if (first === undefined || step.name === 'whereInIds') return OPEN_FILTER;
    const text = textOf(unit, first);
    if (text === undefined) return objectOf(unit, first) === undefined ? OPEN_FILTER : filterOf(unit, first);
    const values = [second, ...parameters].map((n) => objectOf(unit, n));
    const bound = (name: string): Term | undefined => {
      const node = single.get(name) ?? values.map((o) => o && propertyOf(unit, o, name)).find((n) => n !== undefined);
      return node && termOf(unit, node);
    };
    return textFilter(text, bound);
  }
}

const SQL_OPS: Readonly<Record<SqlOperator, ConditionOp>> = {
  '=': 'eq', '<>': 'ne', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', in: 'in', 'not in': 'not-in', 'is null': 'is-null', 'is not null': 'not-null', like: 'other', other: 'other',
};

/** The conditions of SQL text with named parameters; a spread list (`:...ids`) is one parameter. */
export function textFilter(text: string, bound: (name: string) => Term | undefined): Filter {
  const [statement] = parseSql([`UPDATE t SET x = 1 WHERE ${text.replaceAll(':...', ':')}`]);
  if (statement?.type !== 'update' || statement.where === undefined) return OPEN_FILTER;
  return read(statement.where);

  function read(c: SqlCondition): Filter {
    switch (c.kind) {
      case 'and': return both(c.items.map(read));
      case 'or': return either(c.items.map(read));
      case 'not': return negated(read(c.item));
      case 'compare': return compare(c.column.replace(/^.*\./, ''), SQL_OPS[c.op], c.values);
      default: return OPEN_FILTER;
    }
  }

  function compare(column: string, op: ConditionOp, values: readonly SqlValue[]): Filter {
    const store = values.some((v) => v.kind !== 'literal' && v.kind !== 'param');
    const terms = values.flatMap((v) => (v.kind === 'literal' ? [{ kind: 'const', value: v.value } as const] : v.kind === 'param' ? listed(bound(v.name))
      : []));
    return { where: [condition(column, op, store ? [] : terms, store ? 'store' : 'code')], open: false };
  }

  function listed(term: Term | undefined): readonly Term[] {
    return term === undefined ? [] : term.kind === 'list' ? term.items : [term];
  }
}
