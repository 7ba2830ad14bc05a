import type ts from 'typescript';
import { followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { commandInput } from './access-doc-dynamo.js';
import { importsPackage, lastSegment, objectOf, textOf, type Chain } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { bodyPatch, copiedBy, wordOfPath } from './doc-body.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess, StateWrite } from './state-access.js';

const S3 = /^(?:@aws-sdk\/client-s3|aws-sdk.*)$/;
const GCS = /^@google-cloud\/storage$/;

/** State kept as an object of a bucket: `s3.send(new PutObjectCommand({ Key, Body, IfMatch }))`, `bucket.file(path).save(body, { preconditionOpts })`. */
export function objectAccess(chain: Chain): StateAccess | undefined {
  return s3Access(chain) ?? fileAccess(chain);
}

function s3Access(chain: Chain): StateAccess | undefined {
  const { unit } = chain;
  if (!importsPackage(unit, S3)) return undefined;
  const call = chain.last.name === 'promise' ? chain.steps.at(-2)?.call : chain.call;
  const put = call && commandInput(unit, call, /^PutObjectCommand$/, /^putObject$/);
  const got = call && commandInput(unit, call, /^GetObjectCommand$/, /^getObject$/);
  const input = put ?? got;
  const key = input && propertyOf(unit, input.given, 'Key');
  if (input === undefined || key === undefined) return undefined;
  const facts: LayerFacts = { layer: 's3', evidence: 'package', target: wordOfPath(unit, key), client: termOf(unit, input.client) };
  if (put === undefined) return readOf(chain, facts, identityOf(unit, key), true);
  // An object that must not be there yet is made.
  if (propertyOf(unit, put.given, 'IfNoneMatch') !== undefined) return undefined;
  const etag = propertyOf(unit, put.given, 'IfMatch');
  const guard = etag === undefined ? spreadOf(unit, put.given) : valueGuard(unit, etag);
  return wholeWrite(chain, facts, key, guard, propertyOf(unit, put.given, 'Body'), 'putObject');
}

function fileAccess(chain: Chain): StateAccess | undefined {
  const { unit, last } = chain;
  if (last.receiver === undefined || !/^(?:save|download)$/.test(last.name) || !importsPackage(unit, GCS)) return undefined;
  const { ts } = unit;
  const file = followed(unit, last.receiver);
  const path = ts.isCallExpression(file) && ts.isPropertyAccessExpression(file.expression) && file.expression.name.text === 'file' ? file.arguments[0] : undefined;
  if (path === undefined) return undefined;
  const facts: LayerFacts = { layer: 'gcs', evidence: 'package', target: wordOfPath(unit, path), client: termOf(unit, last.receiver) };
  if (last.name === 'download') return readOf(chain, facts, identityOf(unit, path), true);
  const [body, options] = last.args;
  const object = options && objectOf(unit, options);
  const given = object && (objectOf(unit, propertyOf(unit, object, 'preconditionOpts')) ?? object);
  const generation = given && (propertyOf(unit, given, 'ifGenerationMatch') ?? propertyOf(unit, given, 'ifMetagenerationMatch'));
  // Generation 0 stands for an object that is not there.
  if (generation !== undefined && isZero(unit, generation)) return undefined;
  const fileVersion = ts.isCallExpression(file) && file.arguments.length > 1;
  const guard = generation !== undefined ? valueGuard(unit, generation) : (options !== undefined && object === undefined) || fileVersion ? OPEN_FILTER : object === undefined ? NO_FILTER : spreadOf(unit, object);
  return wholeWrite(chain, facts, path, guard, body, last.name);
}

function wholeWrite(chain: Chain, facts: LayerFacts, key: ts.Expression, guard: Filter, body: ts.Expression | undefined, method: string): StateWrite | undefined {
  const { unit } = chain;
  // An object that is put together here is a new one, as far as the code tells.
  if (body === undefined || copiedBy(unit, body) === undefined) return undefined;
  const result = guard.where.length > 0 || guard.open ? handleOrThrowsForm() : ENTITY_FORM;
  const target = facts.target ?? lastSegment(unit, copiedBy(unit, body));
  return writeOf(chain, { ...facts, target }, 'save', both([identityOf(unit, key), guard]), bodyPatch(unit, body, chain.call), result, method);
}

function identityOf(unit: Unit, key: ts.Expression): Filter {
  return { where: [condition('key', 'eq', [termOf(unit, key)])], open: false };
}

function valueGuard(unit: Unit, node: ts.Expression): Filter {
  return textOf(unit, node) === undefined ? { where: [condition('etag', 'eq', [termOf(unit, node)])], open: false } : OPEN_FILTER;
}

function spreadOf(unit: Unit, object: ts.ObjectLiteralExpression): Filter {
  return object.properties.some((p) => unit.ts.isSpreadAssignment(p)) ? OPEN_FILTER : NO_FILTER;
}

function isZero(unit: Unit, node: ts.Expression): boolean {
  const t = termOf(unit, node);
  return t.kind === 'const' && Number(t.value) === 0;
}
