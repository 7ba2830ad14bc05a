import { RuleCreator } from '@typescript-eslint/utils/eslint-utils';
import type { Rule } from 'eslint';
import type { FileFindings } from './file-findings.js';
import { docsUrl } from './package-meta.js';
import { report } from './report.js';
import type { RuleWords } from './rule-words.js';
import { SUGGESTION } from './suggestion-message.js';

/** What editors and tables show of a rule beside its text. */
interface RuleDocs {
  readonly recommended: boolean;
  readonly requiresTypeChecking: false;
  readonly skill: string;
  readonly dimension: string;
}

const createRule = RuleCreator<RuleDocs>(docsUrl);

/** One ESLint rule from the words of a rule: it shows what was found of it in the file's one analysis. */
export function createLintRule(definition: RuleWords, findingsOf: FileFindings): Rule.RuleModule {
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
          for (const finding of findingsOf(context, definition.id)) report(context, finding);
        },
      };
    },
  });
  // typescript-eslint and ESLint describe the same rule object with types that do not fit each other.
  return rule as unknown as Rule.RuleModule;
}
