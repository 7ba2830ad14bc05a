import type ts from 'typescript';
import type { Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
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

const TEXT = /^\s*(\d+(?:\.\d+)?)\s*(ms|msecs?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)\s*$/i;
const LETTERS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `'30s'`, `'5 minutes'` as libraries read them. */
export function textMilliseconds(text: string): number | undefined {
  const found = TEXT.exec(text);
  if (found?.[1] === undefined || found[2] === undefined) return undefined;
  const word = found[2].toLowerCase();
  const scale = word.startsWith('ms') || word.startsWith('milli') ? 1 : LETTERS[word.charAt(0)];
  return scale === undefined ? undefined : Number(found[1]) * scale;
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
