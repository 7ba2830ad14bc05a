import { rules as allRules } from '../../rules/index.js';
import { analyse } from '../engine/engine.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { Analysis } from '../engine/judge/site.js';
import { withCheckedSuggestions, type WithheldSuggestion } from '../engine/judge/with-checked-suggestions.js';
import type { Models } from '../engine/models.js';
import type { Project } from '../engine/project.js';
import type { Ts } from '../engine/syntax/typescript.js';
import { parseSource } from './parse.js';

export interface CheckedAnalysis { readonly analysis: Analysis; readonly withheld: readonly WithheldSuggestion[] }

/** The analysis with those suggestions that hold when they are made: the fault is gone, and no rule finds anything new, asked for or not. */
export function checkedFixes(analysis: Analysis, { typescript, models, rules, project }: { readonly typescript: Ts; readonly models: Models; readonly rules: readonly RuleDefinition[]; readonly project: Project }): CheckedAnalysis {
  const judging = [...rules, ...allRules.filter(({ id }) => !rules.some((rule) => rule.id === id))];
  const { sites, withheld } = withCheckedSuggestions(analysis.sites, (path) => {
    const file = project.file(path);
    return file && {
      file,
      check: {
        project,
        parse: (text) => parseSource(typescript, path, text),
        judge: (source, port) => analyse([source], { ts: typescript, models, rules: judging, project: port }).sites,
      },
    };
  });
  return { analysis: withheld.length === 0 ? analysis : { ...analysis, sites }, withheld };
}
