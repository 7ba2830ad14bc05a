import { isOpen } from '../review/open-findings.js';
import type { Question, Review, SkippedFile } from '../review/types.js';

/** `1 file`, `2 files`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** What the verdict means for this review, one or two sentences. */
export function verdictSentence(review: Review): string {
  switch (review.verdict) {
    case 'ready':
      return `Every row is verified${accepted(review) === 0 ? '' : `, but for ${count(accepted(review), 'finding')} that an exception with owner and date accepts`}.`;
    case 'undecided':
      return `Nothing is violated${accepted(review) === 0 ? '' : ` beside ${count(accepted(review), 'accepted finding')}`}, but facts are missing: what is unknown is not shown to be right.`;
    case 'nothing-seen':
      return nothingSeen(review);
    case 'not-ready':
      return notReady(review);
  }
}

function nothingSeen({ scope }: Review): string {
  const files = scope.filesJudged + scope.filesWithoutSubjects;
  if (files === 0) return 'There was no TypeScript or JavaScript file to read. This is no pass: nothing was judged.';
  return `No lock operation and no state write was seen in ${count(files, 'file')} (${scope.filesJudged} of them with a word of a lock or a state). This is no pass: nothing was judged.`;
}

function notReady(review: Review): string {
  if (review.findings.some(isOpen)) return `${findingCounts(review)} to mend or to answer for (profile ${review.scope.profile}).`;
  if (review.change !== undefined && review.change.old > 0) return `Nothing new; ${count(review.change.old, 'finding')} of before ${review.change.old === 1 ? 'is' : 'are'} still to be mended or answered for.`;
  const hint = review.scope.profile === 'recommended' ? ' `--profile strict` reports them.' : '';
  if (review.findings.length > 0) return `All that the ${review.scope.profile} profile reports is accepted or in the baseline; rows of the skill are violated all the same.`;
  return `Rows of the skill are violated at places that the ${review.scope.profile} profile does not report.${hint}`;
}

/** `2 errors and 1 warning`, and beside them what was accepted: `3 accepted, 12 in the baseline`. */
export function findingCounts({ findings }: Pick<Review, 'findings'>): string {
  const open = findings.filter(isOpen);
  const errors = open.filter(({ severity }) => severity === 'error').length;
  const taken = accepted({ findings });
  const old = findings.length - open.length - taken;
  const beside = [...(taken === 0 ? [] : [`${taken} accepted`]), ...(old === 0 ? [] : [`${old} in the baseline`])];
  return `${count(errors, 'error')} and ${count(open.length - errors, 'warning')}${beside.length === 0 ? '' : ` (beside ${beside.join(' and ')})`}`;
}

function accepted({ findings }: Pick<Review, 'findings'>): number {
  return findings.filter(({ exception }) => exception !== undefined).length;
}

/** What was read and what it held, one line. */
export function scopeSentence({ scope, inventory, sites }: Review): string {
  const quiet = scope.filesWithoutSubjects === 0 ? '' : ` (${scope.filesWithoutSubjects} more hold no word of a lock or a state)`;
  return `${count(scope.filesJudged, 'file')} judged${quiet}: ${count(sites.length, 'place')}, ${count(inventory.locks, 'lock')}, `
    + `${count(inventory.wrappers, 'wrapper')}, ${count(inventory.transitions, 'state write')}`;
}

/** Skipped files by reason, the most frequent reason first. */
export function skippedByReason(skipped: readonly SkippedFile[]): { readonly reason: string; readonly files: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { file, reason } of skipped) {
    const files = groups.get(reason);
    if (files === undefined) groups.set(reason, [file]);
    else files.push(file);
  }
  return [...groups].map(([reason, files]) => ({ reason, files })).sort((a, b) => b.files.length - a.files.length || (a.reason < b.reason ? -1 : 1));
}

/** The first of a list, and how many were left off. */
export function shortened<T>(list: readonly T[], most: number): { readonly shown: readonly T[]; readonly more: number } {
  return { shown: list.slice(0, most), more: Math.max(0, list.length - most) };
}

/** `3 answers settle 41 of 60 unknowns`: the shortest list of answers that settles most. */
export function settledSentence(questions: readonly Question[]): string {
  const total = questions.reduce((sum, { unknowns }) => sum + unknowns, 0);
  const first = questions.slice(0, 3);
  const settled = first.reduce((sum, { unknowns }) => sum + unknowns, 0);
  return `${count(first.length, 'answer settles', 'answers settle')} ${settled} of ${count(total, 'unknown')}:`;
}
