import type { Question, Review } from '../review/types.js';
import { details, list, paragraph } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, prose } from './html-text.js';
import { count, settledSentence, shortened } from './review-words.js';

const MOST_QUESTIONS = 5;
const MOST_PLACES = 5;

/** The few questions that settle most of what is unknown; the others are folded. */
export function htmlQuestions({ questions }: Review): PageSection | undefined {
  if (questions.length === 0) return undefined;
  const rest = questions.slice(MOST_QUESTIONS);
  return {
    id: 'questions',
    title: 'Open questions',
    aside: String(questions.length),
    content: paragraph(settledSentence(questions)) + list(questions.slice(0, MOST_QUESTIONS).map(one), 'ol')
      + (rest.length === 0 ? '' : details(count(rest.length, 'more question'), list(rest.map(one)))),
  };
}

function one({ question, settles, unknowns, answer }: Question): string {
  const { shown, more } = shortened(settles, MOST_PLACES);
  return `<p>${prose(question)}</p><p class="places">Settles ${count(unknowns, 'unknown')}: ${shown.map(code).join(', ')}${more === 0 ? '' : ` and ${more} more`}.`
    + `${answer === '' ? '' : ` Say: ${code(answer)}.`}</p>`;
}
