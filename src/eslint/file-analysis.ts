import type ts from 'typescript';
import type { Config } from '../config/config.js';
import { mergeModels } from '../config/merge-models.js';
import { candidateTest } from '../engine/candidate.js';
import type { analyseParts } from '../engine/engine.js';
import type { Check } from '../engine/judge/checked-suggestions.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Site } from '../engine/judge/site.js';
import { forgetAll } from '../engine/kept.js';
import type { Models } from '../engine/models.js';
import type { FilePart } from '../engine/parts.js';
import { NO_PROJECT, type Project } from '../engine/project.js';
import type { LintContext } from './lint-context.js';
import { notingProject, type Asked } from './noting-project.js';
import type { ProgramProjects } from './program-project.js';
import { readSettings, SettingsError } from './settings.js';
import { mayCallTagged } from './tagged-calls.js';
import { parseLike, readSourceFile, type ReadSource } from './source-file.js';

/** The engine and its data, as the plugin is handed them. */
export interface Engine {
  readonly analyseParts: typeof analyseParts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
}

export interface AnalysedFile {
  /** The path under which places in this file are named. */
  readonly file: string;
  readonly sites: readonly Site[];
  readonly source: ReadSource;
  /** How an edited text of the file is judged. */
  readonly check: Check;
  /** What was asked of other files and of the platform, so far: trying a suggestion asks too. */
  readonly asked: Asked;
}

/** The analysis of the file being linted; `undefined` when there is nothing to judge or no TypeScript to judge it with. */
export type FileAnalysis = (context: LintContext, projectOf: ProgramProjects) => AnalysedFile | undefined;

export function createFileAnalysis(engine: Engine): FileAnalysis {
  const told = new WeakMap<Config, Told>();
  return (context, projectOf) => {
    const { models, isCandidate } = toldBy(readSettings(context.settings).config);
    return isCandidate(context.sourceCode.text) || mayCallTagged(context, projectOf) ? analyseFile(context, { ...engine, models }, projectOf) : undefined;
  };

  function toldBy(config: Config): Told {
    let found = told.get(config);
    if (found === undefined) {
      const models = mergeModels(engine.models, config);
      found = { models, isCandidate: candidateTest(models) };
      told.set(config, found);
    }
    return found;
  }
}

/** The models with those of the user's settings, and the test for files that may hold something to judge. */
interface Told {
  readonly models: Models;
  readonly isCandidate: (text: string) => boolean;
}

function analyseFile(context: LintContext, { analyseParts, models, rules }: Engine, projectOf: ProgramProjects): AnalysedFile | undefined {
  const source = readSourceFile(context);
  if (source === undefined) return undefined;
  const { ts, sourceFile, program } = source;
  const { project: port, asked } = notingProject(program === undefined ? NO_PROJECT : projectOf(ts, program));
  const { sites, errors } = analysed(sourceFile, port);
  const mistake = errors.find((e) => e.mistake === true && e.file === sourceFile.fileName);
  if (mistake !== undefined) throw new SettingsError(`${context.filename}:${mistake.line} ${mistake.message}`);
  return {
    file: sourceFile.fileName, sites, source,
    check: { project: port, parse: (text) => parseLike(source, text), judge: (file, project) => analysed(file, project).sites },
    asked,
  };

  function analysed(file: ts.SourceFile, project: Project): Pick<FilePart, 'sites' | 'errors'> {
    // The trees of a program outlive it: what was found of them for another file, or before an edit of a third, was found in another program.
    if (program !== undefined) forgetAll();
    const { files: [part] } = analyseParts([file], { ts, models, rules, project, sitesOnly: true });
    return part ?? { sites: [], errors: [] };
  }
}
