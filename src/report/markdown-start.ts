import type { Review } from '../review/types.js';
import { changeSentence } from './change-words.js';
import { rowsOf } from './closure.js';
import { firstSteps, type FirstStep } from './first-steps.js';
import { code, prose } from './markdown-text.js';
import { count, findingCounts, scopeSentence, shortened, verdictSentence } from './review-words.js';

const MOST_STEPS = 5;
const MOST_IDS = 8;

/** The first screen: verdict, what to do first, which rows are open, and what was judged. */
export function markdownStart(review: Review): string[] {
  return ['# Lock and state review', '', `**Verdict: ${review.verdict}.** ${prose(verdictSentence(review))}`, '', ...change(review), ...first(review), ...scope(review)];
}

function change({ change: moved }: Review): string[] {
  return moved === undefined ? [] : [prose(changeSentence(moved)), ''];
}

function first(review: Review): string[] {
  const { shown, more } = shortened(firstSteps(review), MOST_STEPS);
  if (shown.length === 0) return review.questions.length === 0 ? [] : ['Do first: answer the questions under "Open questions"; they settle what is unknown.', ''];
  return ['## Do first', '', ...shown.map(step), ...(more === 0 ? [] : ['', `${count(more, 'more rule has', 'more rules have')} findings; all of them are below.`]), ''];
}

function step({ rule, worst, findings }: FirstStep, at: number): string {
  const ids = shortened(findings.map(({ id }) => id), MOST_IDS);
  const places = findings.length === 1 ? worst.id : `${ids.shown.join(', ')}${ids.more === 0 ? '' : ` and ${ids.more} more`}`;
  const owner = worst.owner === undefined ? '' : ` Owner: ${prose(worst.owner)}.`;
  return `${at + 1}. **${worst.change === 'new' ? 'new ' : ''}${worst.severity}, ${worst.certainty}: ${rule}** (${places}) at ${code(`${worst.file}:${worst.line}`)}. ${prose(worst.message)}${owner}`;
}

function scope(review: Review): string[] {
  const { tool, scope: { profile, configDigest, commit, base, asOf } } = review;
  const violated = rowsOf(review, 'violated');
  const unknown = rowsOf(review, 'unknown');
  return [
    '## Scope',
    '',
    `- ${scopeSentence(review)}.`,
    `- Findings: ${findingCounts(review)}, profile ${code(profile)}.`,
    `- Rows of the skill, the dimensions and the verification cases that are violated: ${violated.length === 0 ? 'none' : violated.join(', ')}; unknown: ${unknown.length === 0 ? 'none' : unknown.join(', ')}.`,
    ...(commit === undefined ? [] : [`- Commit: ${code(commit)}${base === undefined ? '' : `, against ${code(base)}`}.`]),
    ...(asOf === undefined ? [] : [`- Exceptions judged as of ${prose(asOf)}.`]),
    `- Tool: ${tool.name} ${tool.version}, configuration ${code(configDigest.slice(0, 12))}.`,
    '',
  ];
}
