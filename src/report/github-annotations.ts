import type { Finding, Review } from '../review/types.js';
import { isAccepted } from './accepted.js';
import { repositoryPath } from './file-uri.js';
import type { ReportOptions } from './formats.js';
import { count } from './review-words.js';
import { byUrgency } from './urgency.js';

/** GitHub keeps so many of each kind a step and drops the rest without a word. */
const MOST_OF_A_KIND = 10;

/**
 * Workflow commands that GitHub Actions turns into annotations. In a review of a change only what the change brought is shown; otherwise the
 * most urgent. The last line says how many were left out.
 */
export function githubAnnotations(review: Review, { pathPrefix }: Pick<ReportOptions, 'pathPrefix'>): string {
  const open = review.findings.filter((finding) => !isAccepted(finding));
  const relevant = byUrgency(review.change === undefined ? open : open.filter(({ change }) => change !== 'old'));
  const shown = (['error', 'warning'] as const).flatMap((level) => relevant.filter(({ severity }) => severity === level).slice(0, MOST_OF_A_KIND));
  const lines = [...shown.map((finding) => annotation(finding, pathPrefix)), ...leftOut(relevant.length - shown.length, open.length - relevant.length)];
  return lines.map((line) => `${line}\n`).join('');
}

function annotation(finding: Finding, pathPrefix: string | undefined): string {
  // Columns are for places on one line alone.
  const end = finding.endLine === finding.line ? { col: finding.column, endColumn: finding.endColumn } : {};
  const properties = { file: repositoryPath(finding.file, pathPrefix), line: finding.line, endLine: finding.endLine, ...end, title: `step-lock ${finding.rule}` };
  return command(finding.severity, properties, `${finding.message} To do: ${finding.action}`);
}

function leftOut(more: number, old: number): string[] {
  const parts = [
    ...(more === 0 ? [] : [`${count(more, 'more finding is', 'more findings are')} not shown here: GitHub keeps ${MOST_OF_A_KIND} errors and ${MOST_OF_A_KIND} warnings a step`]),
    ...(old === 0 ? [] : [`${count(old, 'finding was', 'findings were')} there before this change`]),
  ];
  return parts.length === 0 ? [] : [command('notice', { title: 'step-lock' }, `${parts.join('. ')}.`)];
}

function command(kind: 'error' | 'warning' | 'notice', properties: Readonly<Record<string, string | number>>, message: string): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',');
  return `::${kind} ${list}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
