import { resolve } from 'node:path';
import { rules as allRules } from '../../rules/index.js';
import { absolutePath } from '../audit/file-path.js';
import { workTree } from '../audit/git.js';
import { readSource } from '../audit/read-source.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { ReportOptions } from '../report/formats.js';
import type { ReportRule } from '../report/report-rule.js';
import { chosenRules } from './audit-options.js';
import { explainRule } from './explain-rule.js';

/** What formats and code hosts are told beside the review: sources, rules, and where the working directory lies in its repository. */
export function reportOptions(cwd: string, ruleList: string | undefined): Required<Omit<ReportOptions, 'color'>> {
  let prefix: string | undefined;
  return {
    source: (file) => {
      const source = readSource(resolve(cwd, file));
      return source !== 'gone' && 'text' in source ? source.text : undefined;
    },
    rules: reportRules(chosenRules(allRules, ruleList)),
    // Git is asked where a format wants to know: the text does not.
    get pathPrefix() {
      return (prefix ??= workTree(absolutePath(cwd, '.'))?.prefix ?? '');
    },
  };
}

/** The rules as reports name them, with their pages, which are read when a format prints them. There is no public address of a page yet. */
export function reportRules(rules: readonly RuleDefinition[]): ReportRule[] {
  return rules.map(({ id, skill, dimension, family, profile, summary, validation }) =>
    ({ id, skill, dimension, family, profile, summary, validation, get page() { return explainRule(id); } }));
}
