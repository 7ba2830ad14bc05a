import type ts from 'typescript';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import { toldTime } from '../syntax/told-time.js';
import type { Unit } from '../syntax/unit.js';

/** Turns a term of a called function into one of its caller; the identity in the function that is judged. */
export type Resolve = (term: Term) => Term;

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|millis|milliseconds?)$|(?:Ms|_ms|_MS|[mM]illis|[mM]illiseconds?)$/, 1],
  [/^s$|^secs?$|^seconds?$|(?:Secs?|_secs?|_SECS?|Seconds?|_seconds?|_SECONDS?|InS)$/, 1000],
  [/^min(?:ute)?s?$|(?:Min(?:ute)?s?|_min(?:ute)?s|_MIN(?:UTE)?S)$/, 60_000],
  [/^hours?$|(?:Hours?|_hours?|_HOURS?)$/, 3_600_000],
];

/** How many milliseconds a number under this name counts; undefined where the name does not say. */
export function scaleOfName(name: string): number | undefined {
  return SCALES.find(([pattern]) => pattern.test(name))?.[1];
}

/** `'30s'`, `'5 minutes'` as libraries read them: nothing else may stand beside. */
export function textMilliseconds(text: string): number | undefined {
  return /^\s*\d+(?:\.\d+)?\s*[a-z]+\s*$/i.test(text) ? toldTime(text) : undefined;
}

/** The milliseconds a value stands for; a bare number counts by `scale`. Undefined where it is not a constant, or stands for no end at all. */
export function millisecondsOf(unit: Unit, node: ts.Expression, scale: number, resolve: Resolve): number | undefined {
  return termMilliseconds(resolve(termOf(unit, node)), scale);
}

/** As `millisecondsOf`, of a term. */
export function termMilliseconds(term: Term, scale: number): number | undefined {
  if (term.kind !== 'const') return undefined;
  if (typeof term.value === 'string') return textMilliseconds(term.value);
  return typeof term.value === 'number' && Number.isFinite(term.value) && term.value > 0 ? term.value * scale : undefined;
}
