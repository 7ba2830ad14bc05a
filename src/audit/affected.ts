import { DOC_TAGS } from '../engine/syntax/doc-comments.js';
import { answersOf, keyOfQuestion, questionOf, QUESTIONS } from '../engine/syntax/questions.js';
import type { Ts } from '../engine/syntax/typescript.js';
import type { AuditState } from './audit-state.js';
import { digestOf } from './digest.js';
import type { Judging } from './judge-anew.js';
import type { SourceProject } from './source-project.js';
import { mentionsNow, type MentionsNow } from './mentions-now.js';
import { someRead } from './numbered-reads.js';

/** The parts of an earlier audit that may differ now. */
export interface Affected {
  /** The files to judge: changed, or having looked at something that changed, or sharing a target with one that did. */
  readonly judge: ReadonlySet<string>;
  /** Of those, the ones whose own part in rows and callers may differ. */
  readonly anew: ReadonlySet<string>;
  /** The targets whose rows may differ. */
  readonly keys: ReadonlySet<string>;
  /** The files that looked at the row of a target. */
  readonly readersOf: (key: string) => readonly string[];
  readonly mentions: MentionsNow;
  /** Whether what a read told may differ. */
  readonly isMoved: (read: string) => boolean;
}

/** From this share of changed files on nothing is gained. */
const MOST_CHANGED = 0.5;

/** Undefined where everything may differ: tags speak of functions in other files, and all ask for them. */
export function affectedParts(previous: AuditState, now: Pick<Judging, 'contents' | 'candidates' | 'textOf' | 'project' | 'typescript'>): Affected | undefined {
  const changed = changedPaths(previous, now);
  if (changed.size > Object.keys(now.contents).length * MOST_CHANGED) return undefined;
  for (const path of changed) {
    if (previous.contents[path]?.startsWith('tagged') === true || now.contents[path]?.startsWith('tagged') === true) return undefined;
  }
  const { moved, rerouted } = movedAnswers(previous, changed, now);
  const mentions = mentionsNow(previous, changed, now);
  const isMoved = (key: string): boolean => (key.startsWith('?') ? mentions.moved.has(key.slice(1)) : key.startsWith('%') ? mentions.lost.has(key.slice(1)) : moved.has(key));
  const anew = new Set<string>([...changed, ...rerouted]);
  const keys = new Set<string>();
  const movedFiles = new Set([...moved].flatMap((key) => questionOf(key)?.path ?? []));
  const hasMoved = someRead(isMoved, (path) => movedFiles.has(path));
  for (const part of previous.files) {
    if (anew.has(part.path) || hasMoved(part)) {
      anew.add(part.path);
      part.gives.forEach((key) => keys.add(key));
    }
  }
  for (const row of previous.rows) if (hasMoved(row) || row.standsIn.some((path) => anew.has(path))) keys.add(row.key);
  const readers = new Map<string, string[]>();
  const asksForRow = someRead((key) => key.startsWith('#'), () => false);
  for (const part of previous.files.filter(asksForRow)) {
    for (const key of part.reads) if (key.startsWith('#')) readers.set(key.slice(1), [...readers.get(key.slice(1)) ?? [], part.path]);
  }
  const judge = new Set(anew);
  for (const part of previous.files) if (anew.has(part.path)) part.landsIn.forEach((path) => judge.add(path));
  for (const key of keys) readers.get(key)?.forEach((path) => judge.add(path));
  return { judge, anew, keys, mentions, isMoved, readersOf: (key) => readers.get(key) ?? [] };
}

/** Files that came, went or hold something else. */
function changedPaths(previous: AuditState, { contents, textOf }: Pick<Judging, 'contents' | 'textOf'>): Set<string> {
  const changed = new Set<string>();
  for (const path of new Set([...Object.keys(previous.contents), ...Object.keys(contents)])) if (previous.contents[path] !== contents[path]) changed.add(path);
  for (const [path, digest] of Object.entries(previous.besides)) if (besidesDigest(textOf(path)) !== digest) changed.add(path);
  return changed;
}

/** The questions about changed files that are answered differently now, and the files whose imports lead elsewhere: all that was asked about those may be. */
function movedAnswers(previous: AuditState, changed: ReadonlySet<string>, { contents, project, typescript }: Pick<Judging, 'contents' | 'project' | 'typescript'>): { readonly moved: ReadonlySet<string>; readonly rerouted: ReadonlySet<string> } {
  const moved = new Set<string>();
  const rerouted = new Set<string>();
  if ([...changed].some((path) => previous.contents[path] === undefined || contents[path] === undefined)) {
    for (const [from, specifier, to] of previous.specifiers) if (contents[from] !== undefined && (project.port.resolve(from, specifier) ?? null) !== to) rerouted.add(from);
  }
  const barrels = barrelsOf(previous, changed);
  for (const path of new Set([...changed, ...rerouted])) {
    const answer = answersNow(typescript, project.port, path);
    for (const [question, digest] of Object.entries(previous.answers[path] ?? {})) {
      if (rerouted.has(path) || answerDigest(answer(question)) !== digest) moved.add(keyOfQuestion(path, question));
    }
    for (const barrel of barrels.get(path) ?? []) {
      for (const question of Object.keys(previous.answers[barrel] ?? {})) {
        if (!question.startsWith(QUESTIONS.members)) continue;
        const own = `${QUESTIONS.exported}${question.slice(1)}`;
        // Who found something in the file has asked it itself.
        if ((previous.answers[path]?.[own] ?? '') === '' && answer(own) !== '') moved.add(keyOfQuestion(barrel, question));
      }
    }
  }
  return { moved, rerouted };
}

/** The files that lead to one of these and were asked about all they export as a whole. */
function barrelsOf(previous: AuditState, changed: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const barrels = new Map<string, Set<string>>();
  for (const [from, , to] of previous.specifiers) {
    if (to === null || !changed.has(to)) continue;
    const known = barrels.get(to);
    if (known === undefined) barrels.set(to, new Set([from]));
    else known.add(from);
  }
  return barrels;
}

/** What a file answers now. Undefined: there is no such file. It is parsed when a question needs that. */
export function answersNow(typescript: Ts, port: SourceProject['port'], path: string): (question: string) => string | undefined {
  let ask: ((question: string) => string) | undefined;
  return (question) => {
    if (question === QUESTIONS.isThere) return port.text(path) === undefined ? undefined : 'there';
    if (ask !== undefined) return ask(question);
    const file = port.file(path);
    if (file === undefined) return undefined;
    ask = answersOf(typescript, file);
    return ask(question);
  };
}

/** What a file answers, in short. Most answers are that it says nothing. Undefined: there is no such file. */
export function answerDigest(answer: string | undefined): string {
  if (answer === undefined) return '-';
  return answer === '' ? '' : digestOf(answer).slice(0, 12);
}

/** What a file holds that is not judged and was read for another. */
export function besidesDigest(text: string | undefined): string {
  return text === undefined ? '' : digestOf(text);
}

/** Whether a text may hold a tag. */
export function isTagged(text: string): boolean {
  return TAG.test(text);
}

const TAG = new RegExp(`@(?:${DOC_TAGS.join('|')})`);
