import type ts from 'typescript';
import { followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { assignment, type Patch } from './access-orm-assign.js';
import { importsPackage, lastSegment, objectOf, textOf, type Chain, type ChainStep } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { bodyPatch, copiedBy } from './doc-body.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess } from './state-access.js';

const COSMOS = /^@azure\/cosmos$/;

/** `container.item(id, key).replace(body, { accessCondition })`, `.patch(operations)`, `container.items.upsert(body)`, `container.item(id, key).read()`. */
export function cosmosAccess(chain: Chain): StateAccess | undefined {
  const { unit, last } = chain;
  if (last.receiver === undefined || !/^(?:replace|patch|upsert|read)$/.test(last.name)) return undefined;
  const item = last.name === 'upsert' ? undefined : itemOf(unit, last.receiver);
  const known = importsPackage(unit, COSMOS);
  const ofItems = last.name === 'upsert' && known && lastSegment(unit, last.receiver) === 'items';
  if (item === undefined && !ofItems) return undefined;
  const facts: LayerFacts = {
    layer: 'cosmos', evidence: known ? 'package' : 'shape', target: containerName(unit, item?.receiver ?? last.receiver), client: termOf(unit, item?.receiver ?? last.receiver),
  };
  const [body, options] = last.args;
  const id = item?.args[0] ?? (body && (propertyIn(unit, body, 'id') ?? copiedBy(unit, body)));
  const identity: Filter = id === undefined ? NO_FILTER : { where: [condition('id', 'eq', [termOf(unit, id)])], open: false };
  if (last.name === 'read') return readOf(chain, facts, identity, true);
  if (body === undefined) return undefined;
  const isPatch = last.name === 'patch';
  // One that is made here is new, as far as the code tells.
  if (last.name === 'upsert' && copiedBy(unit, body) === undefined) return undefined;
  const guard = both([accessCondition(unit, options), isPatch ? patchCondition(unit, body) : NO_FILTER]);
  const result = guard.where.length > 0 || guard.open ? handleOrThrowsForm() : ENTITY_FORM;
  return writeOf(chain, facts, isPatch ? 'update' : last.name === 'upsert' ? 'upsert' : 'save', both([identity, guard]), isPatch ? operationsPatch(unit, body) : bodyPatch(unit, body, chain.call), result, last.name);
}

function propertyIn(unit: Unit, node: ts.Expression, name: string): ts.Expression | undefined {
  const object = objectOf(unit, node);
  return object && propertyOf(unit, object, name);
}

/** `container.item(id, partition)`, in place or in a name. */
function itemOf(unit: Unit, node: ts.Expression): ChainStep | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (!ts.isCallExpression(e) || !ts.isPropertyAccessExpression(e.expression) || e.expression.name.text !== 'item' || e.arguments.length === 0) return undefined;
  return { name: 'item', args: e.arguments, call: e, receiver: e.expression.expression };
}

/** `steps` of `database.container('steps')`, `this.stepsContainer`; nothing where it is only called a container. */
function containerName(unit: Unit, node: ts.Expression): string | undefined {
  const { ts } = unit;
  const e = followed(unit, node);
  if (ts.isCallExpression(e) && ts.isPropertyAccessExpression(e.expression) && e.expression.name.text === 'container') return textOf(unit, e.arguments[0]) ?? lastSegment(unit, e.arguments[0]);
  if (ts.isPropertyAccessExpression(e) && e.name.text === 'items') return containerName(unit, e.expression);
  return lastSegment(unit, e)?.replace(/_?container$/i, '') || undefined;
}

/** `{ accessCondition: { type: 'IfMatch', condition: etag } }` among the options. */
function accessCondition(unit: Unit, options: ts.Expression | undefined): Filter {
  if (options === undefined) return NO_FILTER;
  const object = objectOf(unit, options);
  if (object === undefined || object.properties.some((p) => unit.ts.isSpreadAssignment(p))) return OPEN_FILTER;
  const access = propertyOf(unit, object, 'accessCondition');
  if (access === undefined) return NO_FILTER;
  const etag = propertyIn(unit, access, 'condition');
  return etag === undefined || textOf(unit, etag) !== undefined ? OPEN_FILTER : { where: [condition('etag', 'eq', [termOf(unit, etag)])], open: false };
}

/** `{ operations, condition: "from c where c.status = 'pending'" }`. */
function patchCondition(unit: Unit, body: ts.Expression): Filter {
  const node = propertyIn(unit, body, 'condition');
  if (node === undefined) return objectOf(unit, body) === undefined && !unit.ts.isArrayLiteralExpression(followed(unit, body)) ? OPEN_FILTER : NO_FILTER;
  const found = /^\s*from\s+(\w+)\s+where\s+\1\.(\w+)\s*=\s*['"]([^'"]*)['"]\s*$/i.exec(textOf(unit, node) ?? '');
  return found === null ? OPEN_FILTER : { where: [condition(found[2] ?? '', 'eq', [{ kind: 'const', value: found[3] ?? '' }])], open: false };
}

/** `[{ op: 'replace', path: '/status', value: 'running' }]`. */
function operationsPatch(unit: Unit, body: ts.Expression): Patch {
  const { ts } = unit;
  const list = followed(unit, propertyIn(unit, body, 'operations') ?? body);
  if (!ts.isArrayLiteralExpression(list)) return { set: [], open: true };
  const parts = list.elements.map((e) => {
    const path = ts.isSpreadElement(e) ? undefined : textOf(unit, propertyIn(unit, e, 'path'));
    const value = propertyIn(unit, e, 'value');
    if (path === undefined || value === undefined) return undefined;
    const column = path.replace(/^\//, '').replaceAll('/', '.');
    return textOf(unit, propertyIn(unit, e, 'op')) === 'incr' ? { column, value: undefined, node: value, source: 'old-value' as const } : assignment(unit, column, value);
  });
  return { set: parts.filter((p) => p !== undefined), open: parts.includes(undefined) };
}
