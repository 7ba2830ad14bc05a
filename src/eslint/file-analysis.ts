import type { Config } from '../config/config.js';
import { mergeModels } from '../config/merge-models.js';
import { candidateTest } from '../engine/candidate.js';
import type { analyse } from '../engine/engine.js';
import type { Check } from '../engine/judge/checked-suggestions.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis } from '../engine/judge/site.js';
import type { Models } from '../engine/models.js';
import { NO_PROJECT } from '../engine/project.js';
import type { LintContext } from './lint-context.js';
import { programProject } from './program-project.js';
import { runLimit } from './run-limits.js';
import { readSettings, SettingsError } from './settings.js';
import { mayCallTagged } from './tagged-calls.js';
import { parseLike, readSourceFile, type ReadSource } from './source-file.js';

/** The engine and its data, as the plugin is handed them. */
export interface Engine {
  readonly analyse: typeof analyse;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
}

export interface AnalysedFile {
  /** The path under which places in this file are named. */
  readonly file: string;
  readonly analysis: Analysis;
  readonly source: ReadSource;
  /** How an edited text of the file is judged. */
  readonly check: Check;
}

/** The analysis of the file being linted; `undefined` when there is nothing to judge or no TypeScript to judge it with. */
export type FileAnalysis = (context: LintContext) => AnalysedFile | undefined;

export function createFileAnalysis(engine: Engine): FileAnalysis {
  const told = new WeakMap<Config, Told>();
  return (context) => {
    const { models, isCandidate } = toldBy(readSettings(context.settings).config);
    return isCandidate(context.sourceCode.text) || mayCallTagged(context) ? analyseFile(context, { ...engine, models }) : undefined;
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

function analyseFile(context: LintContext, { analyse, models, rules }: Engine): AnalysedFile | undefined {
  const source = readSourceFile(context);
  if (source === undefined) return undefined;
  const { ts, sourceFile, program } = source;
  const project = program === undefined ? { ...NO_PROJECT, runLimit } : programProject(ts, program);
  const analysis = analyse([sourceFile], { ts, models, rules, project, sitesOnly: true });
  const mistake = analysis.errors.find((e) => e.mistake === true && e.file === sourceFile.fileName);
  if (mistake !== undefined) throw new SettingsError(`${context.filename}:${mistake.line} ${mistake.message}`);
  return {
    file: sourceFile.fileName, analysis, source,
    check: {
      project,
      parse: (text) => parseLike(source, text),
      judge: (file, port) => analyse([file], { ts, models, rules, project: port, sitesOnly: true }).sites,
    },
  };
}
