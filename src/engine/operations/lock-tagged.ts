import type ts from 'typescript';
import { calleeOf } from '../syntax/declared-type.js';
import type { DocTagName } from '../syntax/doc-comments.js';
import { speaksOf } from './tagged-member.js';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { acquireOf } from './lock-handle.js';
import { namesOfCall } from './model-call.js';
import { givenBack, modelledOperation, type ModelledCall } from './model-operation.js';
import type { Operation } from './operation.js';
import { taggedOperations, type TaggedOperation } from './tagged-functions.js';
import { unitsWithTags } from './tagged-units.js';
import { Kept } from '../kept.js';

/** A call of a function that a tag of the code makes a lock operation. */
export function taggedLockCall(unit: Unit, call: ts.CallExpression): Operation | undefined {
  const tagged = taggedByName(unit);
  if (tagged.size === 0) return undefined;
  const candidates = [...namesOfCall(unit, call), ANY_NAME].flatMap((n) => tagged.get(n) ?? []);
  if (candidates.length === 0) return undefined;
  const callee = calleeOf(unit, call);
  const found = callee && candidates.find(({ fn }) => speaksOf(fn, callee.signature));
  return found && operationOf(unit, call, found);
}

function operationOf(unit: Unit, call: ts.CallExpression, { fn, op, declared, givesHandle }: TaggedOperation): Operation | undefined {
  const model = { id: `@${fn.unit.path.slice(fn.unit.path.lastIndexOf('/') + 1)}`, operations: [op] };
  const at: ModelledCall = { unit, call, model, op, api: fn.name, declared, givesHandle };
  const callee = bare(unit, call.expression);
  if (op.op !== 'acquire' && op.op !== 'run' && op.key === undefined && op.handle === undefined && unit.ts.isPropertyAccessExpression(callee)) {
    const from = acquireOf(unit, callee.expression);
    if (from !== undefined) return givenBack(at, from, termOf(unit, bare(unit, callee.expression)));
  }
  return modelledOperation(at);
}

/** What is called through a function type bears any name. */
const ANY_NAME = '';
const NONE: ReadonlyMap<string, readonly TaggedOperation[]> = new Map();
const LOCK_TAGS: readonly DocTagName[] = ['acquiresLock', 'releasesLock', 'extendsLock'];
const known = new Kept<object, ReadonlyMap<string, readonly TaggedOperation[]>>();

/** All tagged operations in reach, by the name of the function: found once a run where the files of the project are known, else once a file. */
function taggedByName(unit: Unit): ReadonlyMap<string, readonly TaggedOperation[]> {
  const { units, holder } = unitsWithTags(unit, LOCK_TAGS);
  if (units.length === 0) return NONE;
  const held = known.get(holder);
  if (held !== undefined) return held;
  const byName = new Map<string, TaggedOperation[]>();
  for (const operation of units.flatMap(taggedOperations)) {
    const name = operation.fn.isAlias ? ANY_NAME : operation.fn.name;
    byName.set(name, [...(byName.get(name) ?? []), operation]);
  }
  known.set(holder, byName);
  return byName;
}
