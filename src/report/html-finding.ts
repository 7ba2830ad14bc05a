import type { Finding, Review } from '../review/types.js';
import { VERIFICATION_CASES } from '../skill/skill.js';
import { excerptsOf } from './excerpt.js';
import { htmlExcerpt } from './html-excerpt.js';
import { FILTERS } from './html-filters.js';
import { details, findingLink } from './html-parts.js';
import { attribute, code, escape, prose } from './html-text.js';
import { count } from './review-words.js';
import { secondWorker } from './second-worker.js';
import type { SourceFiles } from './source-files.js';
import { stepPlace } from './step-place.js';

/** The sources of the page, or that it has no room left for any. */
export type Sources = SourceFiles | 'no room';

/** One finding as an article, and how many characters its source takes. */
export function htmlFinding(finding: Finding, review: Review, sources: Sources, unfolded: boolean): { readonly text: string; readonly source: number } {
  const { id, severity, certainty, skill, dimension, rule, file, line } = finding;
  const excerpts = sources === 'no room' ? [] : excerptsOf(finding, sources.lines);
  const readable = excerpts.filter(({ runs }) => runs.length > 0);
  const source = readable.map((excerpt) => htmlExcerpt(excerpt, id, sources === 'no room' ? undefined : sources.colours(excerpt.file))).join('\n');
  const marked = new Set(readable.flatMap(({ runs }) => runs.flat().flatMap(({ steps }) => steps.map(({ number }) => number))));
  const data = Object.entries(FILTERS).map(([name, { of }]) => ` data-${name}="${attribute(of(finding))}"`).join('');
  const text = `<article class="finding ${severity}" id="${id}" aria-labelledby="${id}-title" tabindex="-1"${data}>
<h3 id="${id}-title"><a class="anchor" href="#${id}">${id}</a> ${escape(rule)} <span class="at">at ${code(`${file}:${line}`)}</span></h3>
<p class="tags"><span class="tag ${severity}">${severity}</span> ${tags([certainty, skill, dimension, ...standingTags(finding)])} <button type="button" class="copy" data-copy="${id}" hidden>Copy as issue text</button></p>
<p class="message">${prose(finding.message)}</p>
${path(finding, marked)}<dl class="facts">${facts(finding, review)}</dl>
${source === '' ? sourceMissing(sources) : details(`Source: ${count(readable.length, 'file')}${readable.length === 1 ? '' : ', in the order of the path'}`, source, unfolded)}</article>`;
  return { text, source: source.length };
}

function path(finding: Finding, marked: ReadonlySet<number>): string {
  const { id, witness } = finding;
  if (witness.length === 0) return '';
  const steps = witness.map((step, at) => {
    const number = at + 1;
    const place = code(stepPlace(step, finding));
    const here = marked.has(number) ? `<a href="#${id}-s${number}">${place}</a>` : place;
    return `<li${marked.has(number) ? '' : ` id="${id}-s${number}" class="step" tabindex="-1"`}><span class="role">${step.role}</span> ${here} ${prose(step.note)}</li>`;
  });
  return `<ol class="path" aria-label="The path to the fault">${steps.join('\n')}</ol>\n`;
}

function facts(finding: Finding, review: Review): string {
  const { action, owner, validation, causedBy, related, exception, fingerprint } = finding;
  const rows: readonly (readonly [string, string])[] = [
    ['Do', prose(action)],
    ['Second worker', prose(secondWorker(finding, review))],
    ...(causedBy === undefined ? [] : [['Brought by', `${code(`${causedBy.file}:${causedBy.line}`)} ${prose(causedBy.note)}`] as const]),
    ['Owner', owner === undefined ? 'nobody is named' : escape(owner)],
    ['Validate', validation.length === 0 ? 'no case of the skill covers it' : validation.map((each) => `${each} ${VERIFICATION_CASES[each]}`).join('; ')],
    ...(exception === undefined ? [] : [['Accepted by', `<a href="#exceptions">${escape(exception)}</a>`] as const]),
    ...(related === undefined ? [] : [['Same place', related.map(findingLink).join(' ')] as const]),
    ['Fingerprint', code(fingerprint)],
  ];
  return rows.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n');
}

function standingTags({ change, exception, baseline }: Finding): string[] {
  return [...(change === undefined ? [] : [change]), ...(exception !== undefined || baseline === true ? ['accepted'] : [])];
}

function tags(words: readonly string[]): string {
  return words.map((word) => `<span class="tag">${escape(word)}</span>`).join(' ');
}

function sourceMissing(sources: Sources): string {
  return `<p class="missing">${sources === 'no room' ? 'The source is left off to keep the page small.' : 'The source cannot be read.'}</p>\n`;
}
