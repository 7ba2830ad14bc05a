import { rules as allRules } from '../../rules/index.js';
import { analyseParts } from '../engine/engine.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis } from '../engine/judge/site.js';
import { withCheckedSuggestions, type FileResults, type WithheldSuggestion } from '../engine/judge/with-checked-suggestions.js';
import type { Models } from '../engine/models.js';
import type { Project } from '../engine/project.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { parseSource } from './parse.js';

export interface CheckedAnalysis {
  readonly analysis: Analysis;
  readonly withheld: readonly WithheldSuggestion[];
  /** By file, for the next run. */
  readonly fixes: Readonly<Record<string, FileFixes>>;
}

/** What was found of the suggestions of a file, and what was looked at beyond the file to find it, as in the part of a file. */
export interface FileFixes {
  readonly results: FileResults;
  readonly reads: readonly string[];
}

export interface FixOptions {
  readonly typescript: Ts;
  readonly models: Models;
  readonly rules: readonly RuleDefinition[];
  readonly project: Project;
  /** What an earlier run found of a file, where it would be found again; left out where nobody keeps it. */
  readonly known?: (path: string) => FileFixes | undefined;
}

/** The analysis with those suggestions that hold when they are made: the fault is gone, and no rule finds anything new, asked for or not. */
export function checkedFixes(analysis: Analysis, { typescript, models, rules, project, known }: FixOptions): CheckedAnalysis {
  const judging = [...rules, ...allRules.filter(({ id }) => !rules.some((rule) => rule.id === id))];
  const readsOf = new Map<string, readonly string[]>();
  const { sites, withheld, results } = withCheckedSuggestions(analysis.sites, (path) => {
    const before = known?.(path);
    if (before !== undefined) {
      readsOf.set(path, before.reads);
      return { known: before.results };
    }
    const file = project.file(path);
    return file && {
      file,
      check: {
        project,
        parse: (text) => parseSource(typescript, path, text),
        judge: (source, port) => {
          const { files } = analyseParts([source], { ts: typescript, models, rules: judging, project: port, tracks: known !== undefined });
          readsOf.set(path, [...new Set([...readsOf.get(path) ?? [], ...files.flatMap(({ reads }) => reads)])].sort());
          return files.flatMap((part) => part.sites);
        },
      },
    };
  });
  const fixes = Object.fromEntries([...readsOf].map(([path, reads]) => [path, { results: results.get(path) ?? [], reads }]));
  return { analysis: withheld.length === 0 ? analysis : { ...analysis, sites }, withheld, fixes };
}
