import { analyseParts, type EngineOptions } from '../engine/engine.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { EngineError } from '../engine/judge/site.js';
import type { Models } from '../engine/models.js';
import type { FilePart, PartOptions, Parts } from '../engine/parts.js';
import type { Project } from '../engine/project.js';
import { questionOf } from '../engine/syntax/questions.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { affectedParts, answerDigest, answersNow, besidesDigest, type Affected } from './affected.js';
import type { AuditState } from './audit-state.js';
import type { FileFixes } from './checked-fixes.js';
import { isScanned, mentionsNow, type MentionsNow } from './mentions-now.js';
import { parseSource, syntaxError } from './parse.js';
import { areSharesOf, crossingParts, unionOf } from './shares.js';
import type { SourceProject } from './source-project.js';

/** What is judged, and with what. */
export interface Judging {
  readonly typescript: Ts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  readonly project: SourceProject;
  /** The text of the files to judge, by path, sorted. */
  readonly candidates: ReadonlyMap<string, string>;
  /** Every file that can be reached: what it is and what it holds. */
  readonly contents: Readonly<Record<string, string>>;
  /** The text of a file; undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
  readonly key: string;
}

/** The parts of all files. */
export interface Judged {
  readonly parts: Pick<Parts, 'files' | 'rows'>;
  /** The first syntax error of each file that has one. */
  readonly syntax: AuditState['syntax'];
  /** What an earlier audit found of suggestions of a file, where it would be found again. */
  readonly fixesOf: (path: string) => FileFixes | undefined;
  /** To be used for all that the state has to tell of. */
  readonly port: Project;
  /** The state for the next time, put together when it is asked for. */
  readonly state: (fixes: AuditState['fixes']) => AuditState;
  /** How many files were judged and not taken from the earlier state. */
  readonly judgedAnew: number;
}

/** A restricted run finds out whom it has to judge besides; more rounds than this are no gain. */
const MOST_ROUNDS = 4;
/** From this share of the files on, judging all costs no more. */
const MOST_AFFECTED = 0.7;

/**
 * Judges the files whose verdict can differ from what an earlier audit found, and takes the rest from it: each verdict is known by what was looked at for it. Judges
 * all where that cannot be told.
 */
export function judgeAnew(judging: Judging, previous: AuditState | undefined): Judged {
  const restricted = previous === undefined || previous.key !== judging.key ? undefined : judgeAffected(judging, previous);
  return restricted ?? judgeAll(judging);
}

function judgeAll(judging: Judging): Judged {
  const { port, asked } = noting(judging.project.port);
  const parts = run(judging, port, [...judging.candidates.keys()], {});
  return judgedOf(judging, parts, { port, asked }, undefined, parts.files.length);
}

/** Judges some of the files as if there were no others to judge; what they reach in others they still see. For a union of several such states. */
export function judgeShare(judging: Judging, share: ReadonlySet<string>): Judged {
  const { port, asked } = noting(judging.project.port);
  const parts = run(judging, port, [...judging.candidates.keys()].filter((path) => share.has(path)), { isSilent: () => false });
  return judgedOf(judging, parts, { port, asked }, undefined, parts.files.length);
}

/** Judges what shares that were judged apart could not tell, and takes the rest from them. Undefined where they are no shares of this tree, or not all of them. */
export function judgeUnion(judging: Judging, shares: readonly AuditState[]): Judged | undefined {
  if (!areSharesOf(judging, shares)) return undefined;
  const union = unionOf(shares);
  return judgeFrom(judging, union, { ...crossingParts(shares), isMoved: () => true, mentions: mentionsNow(union, new Set(), judging) }) ?? judgeAll(judging);
}

function judgeAffected(judging: Judging, previous: AuditState): Judged | undefined {
  const affected = affectedParts(previous, judging);
  return affected && judgeFrom(judging, previous, affected);
}

function judgeFrom(judging: Judging, previous: AuditState, affected: Affected): Judged | undefined {
  if (affected.judge.size > judging.candidates.size * MOST_AFFECTED + 10) return undefined;
  if (affected.judge.size === 0 && affected.keys.size === 0) return { parts: previous, syntax: previous.syntax, judgedAnew: 0, port: judging.project.port, fixesOf: (path) => previous.fixes[path], state: () => previous };
  const earlier = new Map(previous.files.map((part) => [part.path, part]));
  const judge = new Set([...affected.judge].filter((path) => judging.candidates.has(path)));
  const keys = new Set(affected.keys);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const path of judge) for (const key of keysRead(earlier.get(path))) keys.add(key);
    const paths = new Set([...judge, ...contextOf(previous, judge, keys, judging)]);
    const { port, asked } = noting(remembering(judging.project.port, affected.mentions));
    const parts = run(judging, port, [...judging.candidates.keys()].filter((path) => paths.has(path)), {
      judges: (path) => judge.has(path),
      asks: (path) => judge.has(path) || earlier.get(path)?.landsIn.some((to) => judge.has(to)) === true,
      tells: (key) => keys.has(key),
      guardsOfOthers: guardsWithout(previous.guards, (path) => paths.has(path) || !judging.candidates.has(path)),
    });
    if (!sameGuards(previous.guards, parts.guards)) return undefined;
    if (!widened(parts, affected, judge, keys, judging)) return merged(judging, previous, parts, { port, asked }, { judge, keys, affected });
  }
  return undefined;
}

/** Adds what the run shows to depend on the change too. False: nothing, the run stands. */
function widened({ files, rows }: Parts, affected: Affected, judge: Set<string>, keys: Set<string>, { candidates }: Judging): boolean {
  const before = judge.size + keys.size;
  const dirty = new Set(affected.keys);
  for (const part of files) {
    if (judge.has(part.path)) for (const key of keysRead(part)) keys.add(key);
    if (!affected.anew.has(part.path)) continue;
    for (const path of part.landsIn) judge.add(path);
    for (const key of part.gives) dirty.add(key);
  }
  for (const key of dirty) {
    keys.add(key);
    for (const path of affected.readersOf(key)) judge.add(path);
  }
  for (const row of rows) if (dirty.has(row.key)) for (const path of row.standsIn) judge.add(path);
  for (const path of judge) if (!candidates.has(path)) judge.delete(path);
  return judge.size + keys.size > before;
}

/** Files that are not judged and have a part in the rows that are asked for. */
function contextOf(previous: AuditState, judge: ReadonlySet<string>, keys: ReadonlySet<string>, { candidates }: Judging): string[] {
  return previous.files.filter(({ path, gives, landsIn }) => candidates.has(path) && (gives.some((key) => keys.has(key)) || landsIn.some((to) => judge.has(to)))).map(({ path }) => path);
}

/** A port that knows of most names which files mention them: to find out for all would mean to read all. */
function remembering(port: SourceProject['port'], mentions: MentionsNow): SourceProject['port'] {
  return { ...port, filesMentioning: (name) => mentions.of(name) ?? port.filesMentioning(name) };
}

interface Anew { readonly judge: ReadonlySet<string>; readonly keys: ReadonlySet<string>; readonly affected: Affected }

function merged(judging: Judging, previous: AuditState, parts: Parts, noted: Noting, { judge, keys, affected: { mentions, isMoved } }: Anew): Judged {
  const anew = new Map(parts.files.filter(({ path }) => judge.has(path)).map((part) => [part.path, part]));
  const kept = new Map(previous.files.map((part) => [part.path, part]));
  const files = [...judging.candidates.keys()].flatMap((path): FilePart[] => {
    const part = anew.get(path) ?? kept.get(path);
    return part === undefined ? [] : [part];
  });
  const order = new Map([...judging.candidates.keys()].map((path, at) => [path, at]));
  const rows = [...previous.rows.filter(({ key }) => !keys.has(key)), ...parts.rows.filter(({ key }) => keys.has(key))]
    .sort((a, b) => (order.get(a.begins.path) ?? 0) - (order.get(b.begins.path) ?? 0) || a.begins.at - b.begins.at);
  const whole = { files, rows, guards: parts.guards };
  return {
    ...judgedOf(judging, whole, noted, { state: previous, mentions }, anew.size),
    fixesOf(path) {
      const known = judge.has(path) ? undefined : previous.fixes[path];
      return known?.reads.some(isMoved) === false ? known : undefined;
    },
  };
}

function keysRead(part: FilePart | undefined): string[] {
  return part?.reads.flatMap((key) => (key.startsWith('#') ? key.slice(1) : [])) ?? [];
}

function run(judging: Judging, port: Project, paths: readonly string[], more: Omit<PartOptions, 'tracks'> & Pick<EngineOptions, 'isSilent'>): Parts {
  judging.project.forgetTrees();
  return analyseParts(paths, { ts: judging.typescript, models: judging.models, rules: judging.rules, project: port, whole: true, tracks: true, isSilent: judging.project.isSilent, ...more });
}

interface Asked { readonly files: Set<string>; readonly mentions: Map<string, readonly string[]>; readonly specifiers: Map<string, readonly [string, string, string | null]> }

/** A port that remembers what was asked of it. */
interface Noting { readonly port: Project; readonly asked: Asked }

function noting(port: SourceProject['port']): Noting {
  const asked: Asked = { files: new Set(), mentions: new Map(), specifiers: new Map() };
  return {
    asked,
    port: {
      file(path) {
        asked.files.add(path);
        return port.file(path);
      },
      text(path) {
        asked.files.add(path);
        return port.text(path);
      },
      resolve(from, specifier) {
        const to = port.resolve(from, specifier);
        asked.specifiers.set(`${from}\0${specifier}`, [from, specifier, to ?? null]);
        return to;
      },
      filesMentioning(name) {
        const paths = port.filesMentioning(name);
        if (paths !== 'cannot-say') asked.mentions.set(name, paths);
        return paths;
      },
      // Nothing to note: another configuration is another key of what is kept.
      runLimit: (path) => port.runLimit(path),
    },
  };
}

function judgedOf(judging: Judging, parts: Parts, { port, asked }: Noting, before: Before | undefined, judgedAnew: number): Judged {
  const previous = before?.state;
  const syntax: Record<string, EngineError> = {};
  for (const { path } of parts.files) {
    const isSame = previous !== undefined && previous.contents[path] === judging.contents[path];
    const error = isSame ? previous.syntax[path] : judging.project.isSilent(path) ? undefined : syntaxError(judging.typescript, judging.project.port.file(path) ?? parseSource(judging.typescript, path, ''));
    if (error !== undefined) syntax[path] = error;
  }
  return { parts, syntax, judgedAnew, port, fixesOf: () => undefined, state: (fixes) => stateOf(judging, { ...parts, fixes }, asked, syntax, before) };
}

interface Before { readonly state: AuditState; readonly mentions: MentionsNow }

type PartsAndFixes = Parts & Pick<AuditState, 'fixes'>;

function stateOf(judging: Judging, parts: PartsAndFixes, { files, mentions, specifiers }: Asked, syntax: AuditState['syntax'], before: Before | undefined): AuditState {
  const previous = before?.state;
  const all = new Map((previous?.specifiers ?? []).filter(([from]) => judging.contents[from] !== undefined).map((s) => [`${s[0]}\0${s[1]}`, s]));
  for (const [key, s] of specifiers) all.set(key, s);
  const names = new Map(Object.entries(previous?.mentions ?? {}).map(([name, paths]) => [name, before?.mentions.of(name) ?? paths]));
  for (const [name, paths] of mentions) names.set(name, paths);
  const besides: Record<string, string> = {};
  for (const path of [...Object.keys(previous?.besides ?? {}), ...files]) {
    if (!isScanned(judging.contents[path])) besides[path] = besidesDigest(judging.textOf(path));
  }
  return { version: 1, key: judging.key, contents: judging.contents, besides, files: parts.files, rows: parts.rows, guards: parts.guards, fixes: parts.fixes, answers: allAnswers(judging, parts, previous), mentions: Object.fromEntries(names), specifiers: [...all.values()], syntax };
}

/** The answers to all that was asked about other files. */
function allAnswers({ project, typescript, contents, textOf }: Judging, { files, rows, fixes }: PartsAndFixes, previous: AuditState | undefined): AuditState['answers'] {
  const asked = new Map<string, Set<string>>();
  for (const key of new Set([...files, ...rows, ...Object.values(fixes)].flatMap(({ reads }) => reads))) {
    const about = questionOf(key);
    if (about === undefined) continue;
    const questions = asked.get(about.path);
    if (questions === undefined) asked.set(about.path, new Set([about.question]));
    else questions.add(about.question);
  }
  return Object.fromEntries([...asked].map(([path, questions]) => {
    const isSame = contents[path] === undefined ? previous?.besides[path] === besidesDigest(textOf(path)) : previous?.contents[path] === contents[path];
    const known = isSame ? previous?.answers[path] : undefined;
    const answer = answersNow(typescript, project.port, path);
    return [path, Object.fromEntries([...questions].map((question) => [question, known?.[question] ?? answerDigest(answer(question))]))];
  }));
}

function guardsWithout(guards: Parts['guards'], isLeftOut: (path: string) => boolean): Parts['guards'] {
  return guards.map(([key, paths]) => [key, paths.filter((path) => !isLeftOut(path))] as const).filter(([, paths]) => paths.length > 0);
}

function sameGuards(before: Parts['guards'], after: Parts['guards']): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}
