import { suggestionCheck } from '../engine/judge/checked-suggestions.js';
import type { Suggestion } from '../engine/judge/outcome.js';
import type { AnalysedFile } from './file-analysis.js';
import type { Shown } from './judging.js';

/**
 * The suggestions of a finding that hold when they are made: the fault is gone and no rule finds anything new. Asked for findings that are reported, since each
 * suggestion costs a judgement of the file; those without any cost nothing.
 */
export function checkedSuggestions(analysed: AnalysedFile, shown: Shown): Suggestion[] {
  if ((shown.outcome.suggestions ?? []).length === 0) return [];
  let check = checks.get(analysed);
  if (check === undefined) {
    check = suggestionCheck(analysed.source.sourceFile, { ...analysed.check, before: analysed.sites });
    checks.set(analysed, check);
  }
  return check(shown).flatMap(({ suggestion, withheld }) => (withheld === undefined ? [suggestion] : []));
}

const checks = new WeakMap<AnalysedFile, ReturnType<typeof suggestionCheck>>();
