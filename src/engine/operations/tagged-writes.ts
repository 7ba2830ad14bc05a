import type { ResultModel, SlotPath, StateWriteModel } from '../models.js';
import { signatureOfDeclaration } from '../syntax/declared-type.js';
import { docComments, type DocTag, type DocTagName, type TaggedFunction } from '../syntax/doc-comments.js';
import type { Unit } from '../syntax/unit.js';
import { formOf } from './lock-result.js';
import { slotRole } from './lock-words.js';
import type { ResultForm } from './result-form.js';
import { isText, parameterNames, pathOf, tagSlots } from './tag-slots.js';
import { unitsWithTags } from './tagged-units.js';
import { Kept } from '../kept.js';

/** A function that `@stepTransition` makes a write of step state. */
export interface TaggedWrite {
  readonly fn: TaggedFunction;
  readonly model: StateWriteModel;
  readonly declared: ResultForm;
}

const NONE: ReadonlyMap<string, readonly TaggedWrite[]> = new Map();
const WRITE_TAGS: readonly DocTagName[] = ['stepTransition'];
const known = new Kept<object, ReadonlyMap<string, readonly TaggedWrite[]>>();

/** All tagged writes in reach, by the name of the function. */
export function taggedWrites(unit: Unit): ReadonlyMap<string, readonly TaggedWrite[]> {
  const { units, holder } = unitsWithTags(unit, WRITE_TAGS);
  if (units.length === 0) return NONE;
  const held = known.get(holder);
  if (held !== undefined) return held;
  const byName = new Map<string, TaggedWrite[]>();
  for (const write of units.flatMap(writesOf)) byName.set(write.fn.name, [...(byName.get(write.fn.name) ?? []), write]);
  known.set(holder, byName);
  return byName;
}

function writesOf(unit: Unit): readonly TaggedWrite[] {
  return docComments(unit).functions.flatMap((fn) => fn.tags.filter((t) => t.name === 'stepTransition').flatMap((tag) => {
    const model = modelOf(fn, tag);
    return model === undefined ? [] : [{ fn, model, declared: formOf(signatureOfDeclaration(unit, fn.declaration).result) }];
  }));
}

const FROM = /^(?:from|expected|current|prev(?:ious)?|old)/i;
const TO = /^(?:to|next|new|target|status|state|phase)/i;

function modelOf(fn: TaggedFunction, tag: DocTag): StateWriteModel | undefined {
  const slots = tagSlots(fn, tag);
  if ('mistake' in slots) return undefined;
  const { given } = slots;
  const names = parameterNames(fn);
  const id = path('id', (n) => slotRole(n) === 'key') ?? (names[0] === undefined ? undefined : pathOf(fn, names[0]));
  if (id === undefined) return undefined;
  const from = path('from', (n) => FROM.test(n));
  const owner = path('owner', (n) => slotRole(n) === 'owner');
  const told = given.get('to');
  const to = told !== undefined && isText(told) ? { state: told.slice(1, -1) } : path('to', (n) => TO.test(n) && !FROM.test(n));
  const target = given.get('target');
  const result = given.get('result');
  return {
    call: fn.name, id, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(owner === undefined ? {} : { owner }), ...(target === undefined ? {} : { target }),
    // The tag's values were checked against the list of forms.
    ...(result === undefined ? {} : { result: result as Extract<ResultModel, string> }),
  };

  function path(slot: string, isMeant: (parameter: string) => boolean): SlotPath | undefined {
    const named = given.get(slot);
    if (named === 'none') return undefined;
    const parameter = named ?? names.find(isMeant);
    return parameter === undefined ? undefined : pathOf(fn, parameter);
  }
}
