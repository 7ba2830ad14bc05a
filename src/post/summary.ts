import { fileUri } from '../report/file-uri.js';
import { count, settledSentence, verdictSentence } from '../report/review-words.js';
import type { Finding, ProtocolChange, Review } from '../review/types.js';
import { COMMENT_BYTES, fixedSection, listSection, withinBudget, type Block, type Section } from './body-budget.js';
import type { GithubHost } from './github-host.js';
import { newFindings } from './inline-comment.js';
import { SUMMARY_MARKER } from './marker.js';
import { code, words } from './post-text.js';

const MOST_QUESTIONS = 3;
const MOST_ERRORS = 10;
const MOST_STEPS = 8;

export interface SummaryContext {
  /** Undefined: places are told without links. */
  readonly host: Pick<GithubHost, 'serverUrl' | 'owner' | 'repo'> | undefined;
  /** The commit that links lead to; undefined where it is not known. */
  readonly headSha: string | undefined;
  /** The working directory seen from the top of the repository: empty, or `a/b/`. */
  readonly pathPrefix: string;
  /** Fingerprints of the findings that have a comment of their own. */
  readonly inline: ReadonlySet<string>;
}

/** Whether the change gives a pull request anything to read. */
export function hasNews(review: Review): boolean {
  return newFindings(review).length > 0 || (review.change !== undefined && review.change.fixed.length + review.change.protocol.length > 0);
}

/** The one summary comment of a pull request. */
export function summaryComment(review: Review, context: SummaryContext): string {
  return `${SUMMARY_MARKER}\n${summary(review, context, COMMENT_BYTES)}`;
}

/** What the change comes to, as Markdown: verdict, what is new, how the protocol moved, what was mended, and what is open. */
export function summary(review: Review, context: SummaryContext, bytes: number): string {
  const { tool, scope } = review;
  const commit = context.headSha === undefined ? '' : `, commit ${code(context.headSha.slice(0, 12))}`;
  const foot = ['', `<sub>${tool.name} ${tool.version}, profile ${scope.profile}${commit}.</sub>`, ''];
  return withinBudget([head(review), ...brought(review, context), ...protocol(review, context), ...mended(review), ...questions(review), ...errors(review)], foot, bytes);
}

function head(review: Review): Section {
  const { change } = review;
  const fresh = newFindings(review).length;
  const verdict = `Verdict on the whole code: **${review.verdict}**. ${words(verdictSentence(review))}`;
  if (change === undefined) return fixedSection([`### step-lock: ${count(fresh, 'finding')}`, '', verdict]);
  return fixedSection([
    `### step-lock: ${fresh === 0 ? 'nothing new' : count(fresh, 'new finding')}`,
    '',
    `Against ${code(change.base)} (merge base ${code(change.mergeBase.slice(0, 12))}): **${fresh} new**, ${change.fixed.length} mended, ${change.old} there before.`,
    '',
    verdict,
  ]);
}

function brought(review: Review, context: SummaryContext): Section[] {
  const title = review.change === undefined ? '#### Findings' : '#### New';
  return list(title, newFindings(review), (finding) => findingItem(finding, context), (left) => `- and ${left} more: \`step-lock review\` lists them.`);
}

function findingItem(finding: Finding, context: SummaryContext): Block {
  const line = `- **${finding.severity}** ${code(finding.rule)} ${link(finding, context)}: ${words(finding.message)}`;
  const cause = finding.causedBy === undefined ? [] : [`  - Brought by ${link(finding.causedBy, context)}: ${words(finding.causedBy.note)}`];
  if (context.inline.has(finding.fingerprint)) return [`${line} (comment in the diff)`, ...cause];
  return [line, ...cause, ...path(finding), `  - To do: ${words(finding.action)}`, ...(finding.owner === undefined ? [] : [`  - Owner: ${code(finding.owner)}`])];
}

/** In one line: there is no comment that numbers the steps. */
function path({ witness }: Finding): Block {
  if (witness.length === 0) return [];
  const steps = witness.slice(0, MOST_STEPS).map(({ role, file, line }) => `${role} ${code(`${file}:${line}`)}`);
  const more = witness.length > MOST_STEPS ? [`${witness.length - MOST_STEPS} more`] : [];
  return [`  - Path: ${[...steps, ...more].join(', ')}`];
}

const EFFECTS = { weaker: 0, different: 1, stronger: 2 } as const satisfies Record<ProtocolChange['effect'], number>;

function protocol({ change }: Review, context: SummaryContext): Section[] {
  const moved = (change?.protocol ?? []).toSorted((a, b) => EFFECTS[a.effect] - EFFECTS[b.effect]);
  return list('#### How the protocol moved', moved, (one) => [`- **${one.effect}** ${code(one.subject)}: ${words(one.what)} (${link(one, context)})`]);
}

function mended({ change }: Review): Section[] {
  return list('#### Mended or taken away', change?.fixed ?? [], ({ rule, file, line, message }) => [`- ${code(rule)} was at ${code(`${file}:${line}`)}: ${words(message)}`]);
}

function questions({ questions: all }: Review): Section[] {
  if (all.length === 0) return [];
  const { head: title, ...items } = listSection(['', '#### Questions', ''], all.slice(0, MOST_QUESTIONS), ({ question, answer }) => [`- ${words(question)}${answer === '' ? '' : ` Say: ${code(answer)}.`}`], andMore);
  return [{ head: [...title, settledSentence(all), ''], ...items }];
}

function errors({ errors: all }: Review): Section[] {
  return list(`#### Not judged to the end (${all.length})`, all.slice(0, MOST_ERRORS), ({ file, line, message }) => [`- ${code(`${file}:${line}`)} ${words(message)}`]);
}

function list<T>(title: string, entries: readonly T[], item: (entry: T) => Block, more: Section['more'] = andMore): Section[] {
  return entries.length === 0 ? [] : [listSection(['', title, ''], entries, item, more)];
}

function andMore(left: number): string {
  return `- and ${left} more`;
}

function link({ file, line }: { readonly file: string; readonly line: number }, { host, headSha, pathPrefix }: SummaryContext): string {
  const place = code(`${file}:${line}`);
  if (host === undefined || headSha === undefined) return place;
  return `[${place}](<${host.serverUrl}/${host.owner}/${host.repo}/blob/${headSha}/${fileUri(file, pathPrefix)}#L${line}>)`;
}
