import type ts from 'typescript';
import { electionSubjects } from './judge/election-subjects.js';
import { judgeSubject } from './judge/judge-subject.js';
import { implementationSubjects } from './judge/implementation-subjects.js';
import { jobSubjects } from './judge/job-subjects.js';
import { localSubjects } from './judge/local-subjects.js';
import { wrappersCalled, type Wrapper } from './functions/wrappers.js';
import { lookAlikes } from './judge/look-alikes.js';
import { subjectsOf } from './judge/subjects.js';
import { transitionSubjects } from './judge/transition-subjects.js';
import type { Analysis, EngineError, LookAlike, Site } from './judge/site.js';
import { withReads, type Reads } from './kept.js';
import { withRoots } from './judge/roots.js';
import type { RuleDefinition } from './judge/rule.js';
import type { Models } from './models.js';
import { tagMistakes } from './operations/tag-mistakes.js';
import { accessesOf } from './operations/accesses.js';
import { NO_PROJECT, type Project } from './project.js';
import type { Ts } from './syntax/typescript.js';
import { questionOf, QUESTIONS } from './syntax/questions.js';
import { createUnits, type Unit } from './syntax/unit.js';
import { requiredByOthers, requiredCalls, type RequiredCall } from './targets/required-calls.js';
import { protectingSites, targetOf } from './judge/targets.js';
import { writerTable } from './judge/writer-table.js';
import { fileTransitions } from './targets/file-transitions.js';
import { followsTest, noteFollowed } from './targets/followed-names.js';
import { notedGuards, noteEarlierGuards, noteGuards } from './targets/guards-elsewhere.js';
import { assembled, type PartOptions, type Parts, type RowPart } from './parts.js';
import { rowKey, rowOf, targetGroups, type TargetRow } from './targets/target-table.js';
import type { Transition } from './targets/transition.js';
import { lockedWriters, type LockedWriter } from './targets/locked-writers.js';

export interface EngineOptions {
  /** The TypeScript copy that parsed the files. */
  readonly ts: Ts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  /** How other files are reached; without it each file is judged on its own. */
  readonly project?: Project;
  /** The files are a whole program: targets, actors and rivals are then told across files. A linter hands over one file and leaves it out. */
  readonly whole?: boolean;
  /**
   * The files whose text rules out that they show anything by themselves (`silentTest`): they are parsed only where others lead to them. To be left out where not all files
   * are given, and where tags speak of calls.
   */
  readonly isSilent?: (path: string) => boolean;
  /** Only the sites are wanted, as a linter shows them: no look-alikes, no wrappers, and the facts of a site when they are asked for. */
  readonly sitesOnly?: boolean;
}

/**
 * Judges every lock operation and every write of step state in the given files. The files must have their parents set; nothing else is needed of them (no binder, no
 * program). Facts of other files are reached through the project port. Never throws on a source file: what it cannot judge is named in `errors`.
 */
export function analyse(files: readonly JudgedFile[], options: EngineOptions): Analysis {
  return assembled(analyseParts(files, options));
}

/** A file, or the path of one that the project has the text of: it is parsed when that is needed. */
export type JudgedFile = ts.SourceFile | string;

/** The same by files and targets, for a run that takes what an earlier one said of the others. */
export function analyseParts(files: readonly JudgedFile[], options: EngineOptions & PartOptions): Parts {
  const units = createUnits(options.ts, options.project ?? NO_PROJECT, options.models, options.tracks === true);
  const given = files.flatMap((file) => (typeof file === 'string' ? units.at(file) ?? [] : units.of(file)));
  const drafts = new Map(given.map(({ path }) => [path, draftOf(path)]));
  const isJudged = options.judges ?? (() => true);
  const isSilent = options.isSilent ?? (() => false);
  const tooDeep = new Set<Unit>();
  const writers: LockedWriter[] = [];
  const required: RequiredCall[] = [];
  const transitions: Transition[] = [];
  const first = given[0];
  if (options.whole === true && first !== undefined) {
    noteEarlierGuards(first.run, options.guardsOfOthers ?? []);
    eachTelling((unit) => { noteGuards(unit, accessesOf(unit)); });
  }
  eachTelling((unit, draft) => {
    for (const { pos, message } of tagMistakes(unit)) {
      draft.errors.push({ file: unit.path, line: unit.file.getLineAndCharacterOfPosition(pos).line + 1, message, mistake: true });
    }
    const locked = lockedWriters(unit);
    const asking = options.asks?.(unit.path) === false ? [] : requiredCalls(unit);
    writers.push(...locked);
    required.push(...asking);
    for (const { target } of locked) draft.gives.add(target);
    for (const { transition, from } of asking) if (transition.unit !== from) draft.landsIn.add(transition.unit.path);
    // A linter hands over one file: the functions it calls are not judged beside it.
    if (options.whole !== true) required.push(...requiredByOthers(unit));
  });
  if (options.whole === true) {
    eachTelling((unit, draft) => {
      const own = fileTransitions(unit).transitions;
      noteFollowed(unit, own);
      transitions.push(...own);
      for (const t of own) draft.gives.add(rowKey(t));
    });
  }
  const rows = options.whole === true ? tableRows() : undefined;
  const table = rows && writerTable(rows.map(({ row }) => row));
  const follows = first === undefined ? undefined : followsTest(first.run);
  eachUnit((unit, draft) => {
    if (!isJudged(unit.path)) return;
    const elsewhere = { table, writers: writers.filter((w) => w.unit !== unit), required: required.filter((r) => r.transition.unit === unit && r.from !== unit) };
    if (isSilent(unit.path) && elsewhere.required.length === 0 && table?.callsIn(unit).length === 0 && follows?.(unit.text) === false) return;
    if (options.sitesOnly !== true) {
      draft.wrappers.push(...wrappersCalled(unit).values());
      draft.alike.push(...lookAlikes(unit));
    }
    const judged = [...subjectsOf(unit), ...electionSubjects(unit), ...localSubjects(unit, options.models.policy), ...jobSubjects(unit), ...transitionSubjects(unit, elsewhere), ...implementationSubjects(unit)].map((subject) => ({ subject, site: judgeSubject(subject, options.rules, options.sitesOnly) }));
    draft.sites.push(...withRoots(judged));
  });
  return {
    files: [...drafts.values()].map(({ reads, gives, landsIn, ...part }) => ({ ...part, reads: readsBeyond(part.path, reads), gives: [...gives].sort(), landsIn: [...landsIn].sort() })),
    rows: rows?.map(({ part }) => part) ?? [],
    guards: first === undefined ? options.guardsOfOthers ?? [] : notedGuards(first.run),
  };

  function tableRows(): { readonly row: TargetRow; readonly part: RowPart }[] {
    return [...targetGroups(transitions)].filter(([key]) => options.tells?.(key) !== false).map(([key, own]) => {
      const [start] = own;
      const { result, reads } = tracked(() => {
        const row = rowOf(own);
        return { row, target: targetOf(row), acquires: protectingSites(row), standsIn: [...new Set(row.writers.map((w) => w.unit.path))] };
      });
      const { row, ...said } = result;
      const at = start === undefined ? 0 : fileTransitions(start.unit).transitions.indexOf(start);
      return { row, part: { key, ...said, begins: { path: start?.unit.path ?? '', at }, reads: [...reads].sort() } };
    });
  }

  function eachTelling(work: (unit: Unit, draft: Draft) => void): void {
    eachUnit((unit, draft) => { if (!isSilent(unit.path)) work(unit, draft); });
  }

  function eachUnit(work: (unit: Unit, draft: Draft) => void): void {
    for (const unit of given) {
      const draft = drafts.get(unit.path);
      if (tooDeep.has(unit) || draft === undefined) continue;
      try {
        for (const key of tracked(() => { work(unit, draft); }).reads) draft.reads.add(key);
      } catch (error) {
        // A tree nested deeper than the stack allows: the rest of the files is still judged.
        if (!(error instanceof RangeError)) throw error;
        tooDeep.add(unit);
        draft.errors.push({ file: unit.path, line: 1, message: 'the file is nested too deeply to be judged' });
      }
    }
  }

  function tracked<T>(work: () => T): { readonly result: T; readonly reads: Reads } {
    return options.tracks === true ? withReads(work) : { result: work(), reads: NOTHING };
  }
}

const NOTHING: Reads = new Set();

/** What was read of other files: the text of the own one decides anyway. Who read all of a file need not say what of it, and who asked anything, that it is there. */
function readsBeyond(path: string, reads: Reads): readonly string[] {
  const about = [...reads].map((key) => ({ key, asked: questionOf(key) }));
  const isThere = new Set(about.flatMap(({ asked }) => (asked === undefined || asked.question === QUESTIONS.isThere ? [] : asked.path)));
  return about.flatMap(({ key, asked }) => {
    if (asked === undefined || asked.question === '') return asked?.path === path ? [] : key;
    // It speaks of other files than the one it is asked of.
    if (asked.question.startsWith(QUESTIONS.members)) return key;
    return asked.path === path || reads.has(asked.path) || (asked.question === QUESTIONS.isThere && isThere.has(asked.path)) ? [] : key;
  }).sort();
}

interface Draft {
  readonly path: string;
  readonly sites: Site[];
  readonly alike: LookAlike[];
  readonly wrappers: Wrapper[];
  readonly errors: EngineError[];
  readonly reads: Set<string>;
  readonly gives: Set<string>;
  readonly landsIn: Set<string>;
}

function draftOf(path: string): Draft {
  return { path, sites: [], alike: [], wrappers: [], errors: [], reads: new Set(), gives: new Set(), landsIn: new Set() };
}
