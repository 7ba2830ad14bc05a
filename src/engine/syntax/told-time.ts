/** Milliseconds of a time as people write it: `30s`, `500ms`, `2 min`, `1h`. Undefined where it cannot be read. */
export function toldTime(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d+(?:[._]\d+)*)\s*([a-z]+)\b/i.exec(text.trim()) ?? [];
  const scale = SCALES.find(([pattern]) => pattern.test(unit))?.[1];
  return amount === undefined || scale === undefined ? undefined : Number(amount.replaceAll('_', '')) * scale;
}

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms(?:ecs?)?|millis(?:econds?)?)$/i, 1],
  [/^s(?:ecs?|econds?)?$/i, 1000],
  [/^m(?:ins?|inutes?)?$/i, 60_000],
  [/^h(?:ours?|rs?)?$/i, 3_600_000],
  [/^d(?:ays?)?$/i, 86_400_000],
];
