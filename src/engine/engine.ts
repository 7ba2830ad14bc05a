import type ts from 'typescript';
import { electionSubjects } from './judge/election-subjects.js';
import { judgeSubject } from './judge/judge-subject.js';
import { implementationSubjects } from './judge/implementation-subjects.js';
import { localSubjects } from './judge/local-subjects.js';
import { lookAlikes } from './judge/look-alikes.js';
import { subjectsOf } from './judge/subjects.js';
import { transitionSubjects } from './judge/transition-subjects.js';
import { lockRecord } from './judge/lock-record.js';
import type { Analysis, EngineError, LookAlike, Site } from './judge/site.js';
import { withRoots } from './judge/roots.js';
import type { RuleDefinition } from './judge/rule.js';
import type { Models } from './models.js';
import { tagMistakes } from './operations/tag-mistakes.js';
import { NO_PROJECT, type Project } from './project.js';
import type { Ts } from './syntax/typescript.js';
import { createUnits, type Unit } from './syntax/unit.js';
import { lockedWriters, type LockedWriter } from './targets/locked-writers.js';

export interface EngineOptions {
  /** The TypeScript copy that parsed the files. */
  readonly ts: Ts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  /** How other files are reached; without it each file is judged on its own. */
  readonly project?: Project;
}

/**
 * Judges every lock operation and every write of step state in the given files. The files must have their parents set; nothing else is needed of them (no binder, no
 * program). Facts of other files are reached through the project port. Never throws on a source file: what it cannot judge is named in `errors`.
 */
export function analyse(files: readonly ts.SourceFile[], options: EngineOptions): Analysis {
  const units = createUnits(options.ts, options.project ?? NO_PROJECT, options.models);
  const sites: Site[] = [];
  const errors: EngineError[] = [];
  const alike: LookAlike[] = [];
  const writers: LockedWriter[] = [];
  eachUnit((unit) => writers.push(...lockedWriters(unit)));
  eachUnit((unit) => {
    for (const { pos, message } of tagMistakes(unit)) {
      errors.push({ file: unit.path, line: unit.file.getLineAndCharacterOfPosition(pos).line + 1, message, mistake: true });
    }
    const elsewhere = writers.filter((w) => w.unit !== unit);
    // One line of configuration settles them all.
    alike.push(...lookAlikes(unit).filter((l) => !alike.some((a) => a.configLine === l.configLine)));
    const judged = [...subjectsOf(unit), ...electionSubjects(unit), ...localSubjects(unit, options.models.policy), ...transitionSubjects(unit, elsewhere), ...implementationSubjects(unit)].map((subject) => ({ subject, site: judgeSubject(subject, options.rules) }));
    sites.push(...withRoots(judged));
  });
  return { sites, lookAlikes: alike, targets: [], locks: sites.flatMap(lockRecord), wrappers: 0, errors };

  function eachUnit(work: (unit: Unit) => void): void {
    for (const file of files) {
      if (errors.some((e) => e.file === file.fileName)) continue;
      try {
        work(units.of(file));
      } catch (error) {
        // A tree nested deeper than the stack allows: the rest of the files is still judged.
        if (!(error instanceof RangeError)) throw error;
        errors.push({ file: file.fileName, line: 1, message: 'the file is nested too deeply to be judged' });
      }
    }
  }
}
