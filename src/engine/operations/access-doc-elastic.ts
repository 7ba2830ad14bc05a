import type ts from 'typescript';
import { propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { NO_PATCH, patchOf } from './access-orm-assign.js';
import { importsPackage, lastSegment, objectOf, textOf, type Chain } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { bodyPatch, copiedBy } from './doc-body.js';
import { handleOrThrowsForm, UNKNOWN_FORM } from './result-form.js';
import type { StateAccess } from './state-access.js';

const ELASTIC = /^@(?:elastic\/elasticsearch|opensearch-project\/opensearch)$|^elasticsearch$/;

/** `client.update({ index, id, doc, if_seq_no, if_primary_term })`, `client.index({ index, id, document })`, `client.get({ index, id })`. */
export function elasticAccess(chain: Chain): StateAccess | undefined {
  const { unit, last, steps } = chain;
  const given = steps.length === 1 && /^(?:update|index|get|delete)$/.test(last.name) ? objectOf(unit, last.args[0]) : undefined;
  const index = given && propertyOf(unit, given, 'index');
  const id = given && propertyOf(unit, given, 'id');
  // Other clients have an `update({ .. })` as well; none has an index and an id in it.
  if (last.receiver === undefined || given === undefined || index === undefined || id === undefined) return undefined;
  const known = importsPackage(unit, ELASTIC);
  const document = documentIn(unit, given);
  if (!known && (document === undefined || last.name === 'get')) return undefined;
  const facts: LayerFacts = {
    layer: 'elasticsearch', evidence: known ? 'package' : 'shape', target: textOf(unit, index) ?? lastSegment(unit, index), client: termOf(unit, last.receiver),
  };
  const identity: Filter = { where: [condition('id', 'eq', [termOf(unit, id)])], open: false };
  if (last.name === 'get') return readOf(chain, facts, identity, true);
  if (/^['"`]create/.test(propertyOf(unit, given, 'op_type')?.getText(unit.file) ?? '')) return undefined;
  const guard = sequenceOf(unit, given);
  const silenced = last.args[1] !== undefined && /\bignore\b/.test(last.args[1].getText(unit.file));
  const guarded = guard.where.length > 0 || guard.open;
  const result = !guarded ? ENTITY_FORM : silenced ? UNKNOWN_FORM : handleOrThrowsForm();
  // A document that is made here is new, as far as the code tells.
  if (last.name === 'index' && !guarded && document !== undefined && copiedBy(unit, document) === undefined) return undefined;
  if (last.name === 'delete') return writeOf(chain, facts, 'delete', both([identity, guard]), NO_PATCH, result, last.name);
  if (document === undefined) return writeOf(chain, facts, 'update', { ...identity, open: true }, { set: [], open: true }, UNKNOWN_FORM, last.name);
  return writeOf(chain, facts, last.name === 'index' ? 'save' : 'update', both([identity, guard]), last.name === 'index' ? bodyPatch(unit, document, chain.call) : patchOf(unit, document), result, last.name);
}

/** `doc`, `document`, or the body of older clients; undefined for scripts, which compare for themselves. */
function documentIn(unit: Unit, given: ts.ObjectLiteralExpression): ts.Expression | undefined {
  const direct = propertyOf(unit, given, 'doc') ?? propertyOf(unit, given, 'document');
  if (direct !== undefined) return direct;
  const body = propertyOf(unit, given, 'body');
  const object = objectOf(unit, body);
  if (object === undefined) return body;
  return propertyOf(unit, object, 'doc') ?? (propertyOf(unit, object, 'script') === undefined ? body : undefined);
}

/** Both numbers of the version that was read, or the version of older clients. */
function sequenceOf(unit: Unit, given: ts.ObjectLiteralExpression): Filter {
  const seen = propertyOf(unit, given, 'if_seq_no') ?? propertyOf(unit, given, 'version');
  if (seen !== undefined) return { where: [condition('version', 'eq', [termOf(unit, seen)])], open: false };
  return given.properties.some((p) => unit.ts.isSpreadAssignment(p)) ? OPEN_FILTER : NO_FILTER;
}
