import { RuleCreator } from '@typescript-eslint/utils/eslint-utils';
import type { Rule } from 'eslint';
import type { RuleDefinition } from '../engine/judge/rule.js';
import { checkedSuggestions } from './checked-suggestions.js';
import { acceptedIn } from './exceptions.js';
import type { FileAnalysis } from './file-analysis.js';
import { findingsOf } from './findings.js';
import { docsUrl } from './package-meta.js';
import { report } from './report.js';
import { SUGGESTION } from './suggestion-message.js';

/** What editors and tables show of a rule beside its text. */
interface RuleDocs {
  readonly recommended: boolean;
  readonly requiresTypeChecking: false;
  readonly skill: string;
  readonly dimension: string;
}

const createRule = RuleCreator<RuleDocs>(docsUrl);

/**
 * One ESLint rule from a rule definition: a filter over the file's one analysis.
 * @param rules All rules of the plugin.
 */
export function createLintRule(definition: RuleDefinition, analysisOf: FileAnalysis, rules: readonly RuleDefinition[]): Rule.RuleModule {
  const rule = createRule<[], string>({
    name: definition.id,
    meta: {
      type: 'problem',
      docs: {
        description: definition.summary,
        recommended: definition.profile === 'recommended',
        requiresTypeChecking: false,
        skill: definition.skill,
        dimension: definition.dimension,
      },
      hasSuggestions: true,
      messages: { ...definition.messages, [SUGGESTION]: '{{title}}' },
      schema: [],
      defaultOptions: [],
    },
    create(context) {
      return {
        Program() {
          const analysed = analysisOf(context);
          if (analysed === undefined) return;
          const accepted = acceptedIn(context, analysed, rules);
          for (const finding of findingsOf(definition, analysed, context.settings)) {
            if (!accepted.has(finding)) report(context, finding, checkedSuggestions(analysed, definition, finding));
          }
        },
      };
    },
  });
  // typescript-eslint and ESLint describe the same rule object with types that do not fit each other.
  return rule as unknown as Rule.RuleModule;
}
