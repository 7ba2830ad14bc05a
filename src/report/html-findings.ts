import type { Finding, Review } from '../review/types.js';
import type { ReportOptions } from './formats.js';
import { htmlFilters } from './html-filters.js';
import { htmlFinding } from './html-finding.js';
import { paragraph } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { acceptedFindings, openFindings } from './open-findings.js';
import { count } from './review-words.js';
import { sourceFiles } from './source-files.js';

const MOST_FINDINGS = 1000;
/** In characters of HTML. With it a page stays below some 8 MB, which every browser opens. */
const MOST_SOURCE = 4_000_000;
/** The source of so many is unfolded: the most urgent ones are read first. */
const MOST_UNFOLDED = 10;

/** The findings that the page shows, in the order in which it shows them. */
export function shownFindings(review: Review): Finding[] {
  return [...openFindings(review), ...acceptedFindings(review)].slice(0, MOST_FINDINGS);
}

/** Every finding with its path and its source, the most urgent first, and the filters over them. */
export function htmlFindings(review: Review, options: ReportOptions): PageSection {
  const shown = shownFindings(review);
  const left = review.findings.length - shown.length;
  const sources = sourceFiles(options.source);
  let room = MOST_SOURCE;
  const articles = shown.map((finding, at) => {
    const { text, source } = htmlFinding(finding, review, room > 0 ? sources : 'no room', at < MOST_UNFOLDED);
    room -= source;
    return text;
  });
  return {
    id: 'findings',
    title: 'Findings, most urgent first',
    short: 'Findings',
    aside: String(review.findings.length),
    content: (shown.length === 0 ? paragraph('None in this profile.') : htmlFilters(shown)) + articles.join('\n')
      + (left === 0 ? '' : paragraph(`${count(left, 'more finding is', 'more findings are')} left off to keep the page small: see the json report.`))
      + (room > 0 ? '' : paragraph('The source of the last findings is left off to keep the page small.')),
  };
}
