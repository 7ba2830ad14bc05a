import type { Finding, Review } from '../review/types.js';
import { firstSteps, type FirstStep } from './first-steps.js';
import { rowsOf } from './closure.js';
import { findingLink, list, paragraph, table } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, escape, prose } from './html-text.js';
import { folderOf } from './folder.js';
import { openFindings } from './open-findings.js';
import { count, findingCounts, scopeSentence, shortened } from './review-words.js';

const MOST_STEPS = 5;
const MOST_IDS = 12;
const MOST_BARS = 12;

/** The first screen: what to do first, how many of what, and what was judged. */
export function htmlStart(review: Review): PageSection {
  return { id: 'start', title: 'Do first', content: first(review) + `<h3>Scope</h3>\n${scope(review)}` + bars(review) };
}

function first(review: Review): string {
  const { shown, more } = shortened(firstSteps(review), MOST_STEPS);
  if (shown.length === 0) return paragraph(review.questions.length === 0 ? 'Nothing is open in this profile.' : 'Answer the <a href="#questions">open questions</a>: they settle what is unknown.');
  return `<ol class="first">${shown.map(step).join('\n')}</ol>\n${more === 0 ? '' : paragraph(`${count(more, 'more rule has', 'more rules have')} <a href="#findings">findings</a>.`)}`;
}

function step({ rule, worst, findings }: FirstStep): string {
  const { shown, more } = shortened(findings, MOST_IDS);
  const owner = worst.owner === undefined ? '' : ` <span class="owner">${escape(worst.owner)}</span>`;
  return `<li><p><span class="tag ${worst.severity}">${worst.severity}</span>${worst.change === 'new' ? ' <span class="tag">new</span>' : ''} ${worst.certainty}: <strong>${escape(rule)}</strong> at ${code(`${worst.file}:${worst.line}`)}${owner}</p>`
    + `<p>${prose(worst.message)} <span class="places">${shown.map(({ id }) => findingLink(id)).join(' ')}${more === 0 ? '' : ` and ${more} more`}</span></p></li>`;
}

function scope(review: Review): string {
  const { tool, scope: { profile, configDigest, commit, base, asOf } } = review;
  const rows = (wanted: 'violated' | 'unknown'): string => rowsOf(review, wanted).join(', ') || 'none';
  return list([
    `${scopeSentence(review)}.`,
    `Findings: ${findingCounts(review)}, profile ${code(profile)}.`,
    `<a href="#skill">Rows</a> of the skill, the dimensions and the verification cases that are violated: ${rows('violated')}; unknown: ${rows('unknown')}.`,
    ...(commit === undefined ? [] : [`Commit: ${code(commit)}${base === undefined ? '' : `, against ${code(base)}`}.`]),
    ...(asOf === undefined ? [] : [`Exceptions judged as of ${escape(asOf)}.`]),
    `Tool: ${tool.name} ${escape(tool.version)}, configuration ${code(configDigest.slice(0, 12))}.`,
  ]);
}

function bars(review: Review): string {
  const open = openFindings(review);
  if (open.length < 2) return '';
  return `<div class="bars">${barTable('Open findings by rule', open, ({ rule }) => rule)}${barTable('Open findings by folder', open, ({ file }) => folderOf(file))}</div>\n`;
}

function barTable(title: string, findings: readonly Finding[], by: (finding: Finding) => string): string {
  const counts = new Map<string, number>();
  for (const finding of findings) counts.set(by(finding), (counts.get(by(finding)) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const most = sorted[0]?.[1] ?? 1;
  const { shown, more } = shortened(sorted, MOST_BARS);
  const rows = shown.map(([name, n]) => [
    code(name), `<svg class="bar" width="120" height="10" aria-hidden="true"><rect width="${Math.max(2, Math.round((n / most) * 120))}" height="10" rx="2"/></svg> ${n}`,
  ]);
  return `<div><h3>${title}</h3>${table(title, [title.replace(/^.* by /, ''), 'findings'], rows, 'narrow')}${more === 0 ? '' : paragraph(`and ${more} more`)}</div>`;
}
