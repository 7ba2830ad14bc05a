import { suggestionCheck } from '../engine/judge/checked-suggestions.js';
import type { Suggestion, Violated } from '../engine/judge/outcome.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { AnalysedFile } from './file-analysis.js';

/**
 * The suggestions of a finding that hold when they are made: the fault is gone and no rule finds anything new. Asked for findings that are reported, since each
 * suggestion costs a judgement of the file; those without any cost nothing.
 */
export function checkedSuggestions(analysed: AnalysedFile, { id }: RuleDefinition, outcome: Violated): Suggestion[] {
  if ((outcome.suggestions ?? []).length === 0) return [];
  const site = analysed.analysis.sites.find(({ outcomes }) => outcomes[id] === outcome);
  if (site === undefined) return [];
  let check = checks.get(analysed);
  if (check === undefined) {
    check = suggestionCheck(analysed.source.sourceFile, { ...analysed.check, before: analysed.analysis.sites });
    checks.set(analysed, check);
  }
  return check({ site, rule: id, outcome }).flatMap(({ suggestion, withheld }) => (withheld === undefined ? [suggestion] : []));
}

const checks = new WeakMap<AnalysedFile, ReturnType<typeof suggestionCheck>>();
