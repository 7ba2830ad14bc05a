import type { Review, RowStatus } from '../review/types.js';
import { acceptedLines, attentionLines } from './exception-words.js';
import { textTargets } from './text-targets.js';
import { printable, type Paint, type Style } from './paint.js';
import { count, scopeSentence, settledSentence, shortened, skippedByReason, verdictSentence } from './review-words.js';

const MOST_QUESTIONS = 10;
const MOST_NEAR_MISSES = 20;
const MOST_ERRORS = 10;
const MOST_NAMED_FILES = 3;
const LABEL_WIDTH = 12;

interface StatusRow {
  readonly id: string;
  readonly status: RowStatus;
  readonly violated?: number;
}

const VERDICT_STYLE = { ready: 'green', 'not-ready': 'red', undecided: 'yellow', 'nothing-seen': 'yellow' } as const satisfies Record<Review['verdict'], Style>;

/** What the run comes to: verdict, counts, skill rows, questions, what was not judged. */
export function textSummary(review: Review, paint: Paint): string {
  const row = (label: string, value: string): string => `${paint('dim', label.padEnd(LABEL_WIDTH))}${value}`;
  const more = (value: string): string => ' '.repeat(LABEL_WIDTH) + value;
  const lines = [
    row('verdict', `${paint(VERDICT_STYLE[review.verdict], review.verdict)}  ${verdictSentence(review)}`),
    row('scope', scopeSentence(review)),
    row('skill', byStatus(review.skill, ({ id, violated = 0 }) => (violated === 0 ? id : `${id} (${violated})`))),
    row('tests', byStatus(review.verification, ({ id }) => id)),
    ...textTargets(review).map((line, at) => (at === 0 ? row('targets', line) : more(line))),
    ...questions(review).map((line, at) => (at === 0 ? row('unknown', line) : more(line))),
    ...lookAlikes(review).map((line, at) => (at === 0 ? row('look-alikes', line) : more(line))),
    ...acceptedLines(review).map((line, at) => (at === 0 ? row('accepted', printable(line)) : more(printable(line)))),
    ...attentionLines(review).map((line, at) => (at === 0 ? row('exceptions', printable(line)) : more(printable(line)))),
    ...skipped(review).map((line, at) => (at === 0 ? row('left out', line) : more(line))),
    ...errors(review).map((line, at) => (at === 0 ? row('errors', line) : more(line))),
  ];
  return `${lines.join('\n')}\n`;
}

/** Rows by status, worst first: `violated R3 (2), F1 (1); unknown R1; verified R5`. */
function byStatus(rows: readonly StatusRow[], words: (row: StatusRow) => string): string {
  const of = (status: RowStatus): string[] => {
    const own = rows.filter((row) => row.status === status);
    return own.length === 0 ? [] : [`${status} ${own.map(words).join(', ')}`];
  };
  return [...of('violated'), ...of('unknown'), ...of('verified'), ...of('not-applicable')].join('; ');
}

function questions({ questions: all }: Review): string[] {
  if (all.length === 0) return [];
  const { shown, more } = shortened(all, MOST_QUESTIONS);
  return [
    settledSentence(all),
    ...shown.flatMap(({ question, unknowns, answer }) => [`${printable(question)} (${count(unknowns, 'unknown')})`, ...(answer === '' ? [] : [printable(`  say  ${answer}`)])]),
    ...(more === 0 ? [] : [`and ${count(more, 'more question')} in the json report`]),
  ];
}

/** Where nothing was seen, the near misses are the way on: each with the line that would declare it. */
function lookAlikes({ inventory, verdict }: Review): string[] {
  const all = inventory.lookAlikes;
  if (all.length === 0) return [];
  const headline = `${count(all.length, 'place that resembles', 'places that resemble')} a lock or a state write, judged by nothing`;
  if (verdict !== 'nothing-seen') return [`${headline} (named in the json and markdown reports)`];
  const { shown, more } = shortened(all, MOST_NEAR_MISSES);
  return [
    `${headline}:`,
    ...shown.flatMap(({ file, line, name, why, configLine }) => [printable(`${file}:${line} ${name}: ${why}`), printable(`  to have it judged: ${configLine}`)]),
    ...(more === 0 ? [] : [`and ${more} more in the json report`]),
  ];
}

function skipped({ scope }: Review): string[] {
  return skippedByReason(scope.filesSkipped).map(({ reason, files }) => {
    const { shown, more } = shortened(files, MOST_NAMED_FILES);
    return `${count(files.length, 'file')}, ${reason}: ${shown.map(printable).join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  });
}

function errors({ errors: all }: Review): string[] {
  const { shown, more } = shortened(all, MOST_ERRORS);
  return [...shown.map(({ file, line, message }) => printable(`${file}:${line} ${message}`)), ...(more === 0 ? [] : [`and ${more} more in the json report`])];
}
