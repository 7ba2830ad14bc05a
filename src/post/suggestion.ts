import { positionAt } from '../report/source-text.js';
import type { Finding } from '../review/types.js';
import type { LineRange } from './diff-lines.js';

/** More lines than a reviewer reads in a suggestion. */
const MOST_LINES = 30;

/** A suggestion block and the lines it replaces. */
export interface SuggestedChange {
  readonly lines: LineRange;
  readonly block: readonly string[];
}

/** The checked fix of a finding as whole lines; undefined where there is none or where it is long. */
export function suggestedChange({ fix }: Pick<Finding, 'fix'>, source: string | undefined): SuggestedChange | undefined {
  const edits = fix?.edits.toSorted((a, b) => a.start - b.start) ?? [];
  const [first] = edits;
  const last = edits.at(-1);
  if (source === undefined || first === undefined || last === undefined || last.end > source.length) return undefined;
  const lines = { first: positionAt(source, first.start).line, last: positionAt(source, last.end).line };
  const start = first.start - positionAt(source, first.start).column + 1;
  const after = source.slice(last.end).search(/[\n\r\u2028\u2029]/);
  const end = after === -1 ? source.length : last.end + after;
  const put = edits.map(({ text, end: from }, at) => text + source.slice(from, edits[at + 1]?.start ?? end)).join('');
  const text = (source.slice(start, first.start) + put).split(/\r\n|[\n\r]/);
  if (lines.last - lines.first >= MOST_LINES || text.length > MOST_LINES) return undefined;
  const fence = '`'.repeat(Math.max(3, ...text.flatMap((line) => line.match(/`+/g) ?? []).map((run) => run.length + 1)));
  return { lines, block: [`${fence}suggestion`, ...text, fence] };
}
