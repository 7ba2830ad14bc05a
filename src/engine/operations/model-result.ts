import type { ResultModel } from '../models.js';
import { BOOLEAN_FORM, countForm, handleOrNothingForm, handleOrThrowsForm, OK_OR_NULL_FORM, taggedForm, VOID_OR_THROWS_FORM, type ResultForm } from './result-form.js';
import { array, constant, UNKNOWN, type Value } from './value.js';

/** How a modelled call answers. */
export function modelledForm(model: ResultModel): ResultForm {
  if (typeof model === 'string') return FORMS[model];
  return 'tag' in model ? taggedForm(model.tag, model.won, model.lost) : flagForm(model.flag);
}

const FORMS = {
  'boolean': BOOLEAN_FORM,
  'handle-or-null': handleOrNothingForm('null'),
  'handle-or-undefined': handleOrNothingForm('undefined'),
  'handle-or-throws': handleOrThrowsForm(),
  'void-or-throws': VOID_OR_THROWS_FORM,
  'ok-or-null': OK_OR_NULL_FORM,
  'count': countForm(),
} as const satisfies Record<Extract<ResultModel, string>, ResultForm>;

/** `[executed, result]`. */
function flagForm(at: number): ResultForm {
  const answer = (flag: boolean): Value => array([...Array.from({ length: at }, () => UNKNOWN), constant(flag)], undefined);
  return { label: `array with a flag at ${at}`, won: [answer(true)], lost: [answer(false)], throwsWhenLost: false };
}
