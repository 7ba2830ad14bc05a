import { resolve } from 'node:path';
import { loadTypeScript } from '../audit/load-typescript.js';
import { parseSource } from '../audit/parse.js';
import { readSource } from '../audit/read-source.js';
import { UserMistake } from '../audit/user-mistake.js';
import { commentFormAt, type CommentForm } from '../exceptions/comments.js';
import { daysAfter } from '../exceptions/dates.js';
import { EXCEPTIONS_FILE } from '../exceptions/find-exceptions.js';
import { exceptionComment, exceptionEntry } from '../exceptions/write-exception.js';
import { printable } from '../report/paint.js';
import type { Finding, Review } from '../review/types.js';
import { dayOf } from './day.js';
import { findingsNamed } from './named-findings.js';
import { auditedReview } from './audit-anew.js';
import type { ExplainFlags } from './run-explain.js';
import type { Terminal } from './terminal.js';

/** So long an exception is proposed to hold: a quarter. */
const PROPOSED_DAYS = 90;
const PLAIN = { format: ['text'], failOn: 'never', requireJudged: false, includeTests: false, includeGenerated: false, includeDeclarations: false, cache: false, color: false } as const;

/**
 * The exceptions to copy for a finding, as a comment and as an entry of the exceptions file.
 * @param what A fingerprint, the id of a finding, or `file:line`.
 * @throws {UserMistake} where no such finding is reported.
 */
export async function explainException(what: string, paths: readonly string[], flags: ExplainFlags, terminal: Terminal): Promise<string> {
  const expires = daysAfter(dayOf(flags.asOf), PROPOSED_DAYS);
  const { review } = await auditedReview(paths, { ...PLAIN, quiet: flags.quiet, ...(flags.asOf === undefined ? {} : { asOf: flags.asOf }) }, terminal);
  const found = findingsNamed(review, what);
  if (found.length === 0) throw new UserMistake(`No finding is called \`${what}\` or reported there${elsewhere(review, what)}.`, 'Give a fingerprint, an id like `f3`, or the `file:line` that the report prints.');
  const forms = await formsOf(found, terminal.cwd);
  return printable(found.map((finding, at) => told(finding, forms[at] ?? 'line', expires)).join('\n'));
}

/** The lines of the same file that are reported. */
function elsewhere({ findings }: Review, what: string): string {
  const file = /^(.+?):\d+/.exec(what)?.[1];
  const lines = findings.filter((f) => f.file === file).map(({ line }) => String(line));
  return lines.length === 0 ? '' : `; in this file line ${[...new Set(lines)].join(', ')} is`;
}

async function formsOf(found: readonly Finding[], cwd: string): Promise<CommentForm[]> {
  const { typescript } = await loadTypeScript();
  return found.map(({ file, line }) => {
    const source = readSource(resolve(cwd, file));
    return source === 'gone' || !('text' in source) ? 'none' : commentFormAt(typescript, parseSource(typescript, file, source.text), line);
  });
}

function told(finding: Finding, form: CommentForm, expires: string): string {
  const { rule, file, line, column, message, fingerprint, owner, exception } = finding;
  const written = { rule, fingerprint, file, expires, ...(owner === undefined ? {} : { owner }) };
  const comment = exceptionComment(written, form);
  return [
    `${rule}  ${file}:${line}:${column}`,
    message,
    ...(exception === undefined ? [] : ['It is accepted by an exception already.']),
    '',
    ...(comment === undefined ? [`No comment can stand before line ${line}: it begins within a text.`] : [`As a comment before line ${line} of ${file}:`, `  ${comment}`]),
    '',
    `As an entry of \`exceptions\` in ${EXCEPTIONS_FILE} (\`{ "schemaVersion": 1, "exceptions": [ .. ] }\`):`,
    ...exceptionEntry(written).split('\n').map((text) => `  ${text}`),
    '',
    'Fill in what stands between `<` and `>`: without owner, date and reason it accepts nothing.',
    '',
  ].join('\n');
}
