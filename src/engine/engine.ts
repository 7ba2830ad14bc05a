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
import { lockRecord } from './judge/lock-record.js';
import { siteIdAt, type Analysis, type EngineError, type LookAlike, type Site } from './judge/site.js';
import { withRoots } from './judge/roots.js';
import type { RuleDefinition } from './judge/rule.js';
import type { Models } from './models.js';
import { tagMistakes } from './operations/tag-mistakes.js';
import { accessesOf } from './operations/accesses.js';
import { NO_PROJECT, type Project } from './project.js';
import type { Ts } from './syntax/typescript.js';
import { createUnits, type Unit } from './syntax/unit.js';
import { requiredByOthers, requiredCalls, type RequiredCall } from './targets/required-calls.js';
import { targetsOf, withProtected } from './judge/targets.js';
import { writerTable } from './judge/writer-table.js';
import { fileTransitions } from './targets/file-transitions.js';
import { noteGuards } from './targets/guards-elsewhere.js';
import { targetTable, type TargetRow } from './targets/target-table.js';
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
}

/**
 * Judges every lock operation and every write of step state in the given files. The files must have their parents set; nothing else is needed of them (no binder, no
 * program). Facts of other files are reached through the project port. Never throws on a source file: what it cannot judge is named in `errors`.
 */
export function analyse(files: readonly ts.SourceFile[], options: EngineOptions): Analysis {
  const units = createUnits(options.ts, options.project ?? NO_PROJECT, options.models);
  const sites: Site[] = [];
  const errors: EngineError[] = [];
  const tooDeep = new Set<ts.SourceFile>();
  const alike: LookAlike[] = [];
  const wrappers = new Map<ts.Node, Wrapper>();
  const writers: LockedWriter[] = [];
  const required: RequiredCall[] = [];
  if (options.whole === true) eachUnit((unit) => { noteGuards(unit, accessesOf(unit)); });
  eachUnit((unit) => {
    for (const { pos, message } of tagMistakes(unit)) {
      errors.push({ file: unit.path, line: unit.file.getLineAndCharacterOfPosition(pos).line + 1, message, mistake: true });
    }
    writers.push(...lockedWriters(unit));
    required.push(...requiredCalls(unit));
    // A linter hands over one file: the functions it calls are not judged beside it.
    if (options.whole !== true) required.push(...requiredByOthers(unit));
  });
  const rows = options.whole === true ? writerRows() : undefined;
  const table = rows && writerTable(rows);
  eachUnit((unit) => {
    const elsewhere = { table, writers: writers.filter((w) => w.unit !== unit), required: required.filter((r) => r.transition.unit === unit && r.from !== unit) };
    for (const [fn, wrapper] of wrappersCalled(unit)) wrappers.set(fn, wrapper);
    // One line of configuration settles them all.
    alike.push(...lookAlikes(unit).filter((l) => !alike.some((a) => a.configLine === l.configLine)));
    const judged = [...subjectsOf(unit), ...electionSubjects(unit), ...localSubjects(unit, options.models.policy), ...jobSubjects(unit), ...transitionSubjects(unit, elsewhere), ...implementationSubjects(unit)].map((subject) => ({ subject, site: judgeSubject(subject, options.rules) }));
    sites.push(...withRoots(judged));
  });
  const locks = sites.flatMap(lockRecord);
  const judgedAt = new Set(sites.map(({ id }) => id));
  // What only its callee tells is judged at the call.
  const unjudged = alike.filter((l) => !judgedAt.has(siteIdAt(l.place)));
  return { sites, lookAlikes: unjudged, targets: rows === undefined ? [] : targetsOf(rows), locks: rows === undefined ? locks : withProtected(locks, rows), wrappers: [...wrappers.values()], errors };

  function writerRows(): readonly TargetRow[] {
    const transitions: Transition[] = [];
    eachUnit((unit) => transitions.push(...fileTransitions(unit).transitions));
    return targetTable(transitions);
  }

  function eachUnit(work: (unit: Unit) => void): void {
    for (const file of files) {
      if (tooDeep.has(file)) continue;
      try {
        work(units.of(file));
      } catch (error) {
        // A tree nested deeper than the stack allows: the rest of the files is still judged.
        if (!(error instanceof RangeError)) throw error;
        tooDeep.add(file);
        errors.push({ file: file.fileName, line: 1, message: 'the file is nested too deeply to be judged' });
      }
    }
  }
}
