import type { Question, Review } from '../review/types.js';
import { details } from './markdown-details.js';
import { code, prose } from './markdown-text.js';
import { count, settledSentence, shortened } from './review-words.js';

const MOST_QUESTIONS = 5;
const MOST_PLACES = 3;

/** The few questions that settle most of what is unknown; the others are folded. */
export function markdownQuestions({ questions }: Review): string[] {
  if (questions.length === 0) return [];
  const few = questions.slice(0, MOST_QUESTIONS);
  const rest = questions.slice(MOST_QUESTIONS);
  return [
    '## Open questions',
    '',
    settledSentence(questions),
    '',
    ...few.map((question, at) => one(question, at)),
    '',
    ...(rest.length === 0 ? [] : details(count(rest.length, 'more question'), [...rest.map((question, at) => one(question, at + few.length)), ''])),
  ];
}

function one({ question, settles, unknowns, answer }: Question, at: number): string {
  const { shown, more } = shortened(settles, MOST_PLACES);
  const places = shown.map(code).join(', ') + (more === 0 ? '' : ` and ${more} more`);
  return `${at + 1}. ${prose(question)} Settles ${count(unknowns, 'unknown')}: ${places}.${answer === '' ? '' : ` Say: ${code(answer)}.`}`;
}
