import { RuleCreator } from '@typescript-eslint/utils/eslint-utils';
import type { Rule } from 'eslint';
import type { RuleListener } from '@typescript-eslint/utils/ts-eslint';
import type { FileFindings } from './file-findings.js';
import type { Finding } from './finding.js';
import type { LintContext } from './lint-context.js';
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
    create: () => NOTHING,
  });
  // `RuleCreator` clones the default options for each rule and file, which in a run over kept findings is much of the work; these rules have none.
  const ruleAtOnce = { ...rule, create: (context: LintContext) => shownBy(() => findingsOf(context, definition.id), context) };
  // typescript-eslint and ESLint describe the same rule object with types that do not fit each other.
  return ruleAtOnce as unknown as Rule.RuleModule;
}

const NOTHING: RuleListener = {};

/** Most files have no finding of a rule: there it listens to nothing. */
function shownBy(find: () => readonly Finding[], context: LintContext): RuleListener {
  try {
    const findings = find();
    return findings.length === 0 ? NOTHING : { Program() { for (const finding of findings) report(context, finding); } };
  } catch (error) {
    // Thrown here, it would be told as an error of the rule, and it is one of the settings or of the file.
    return { Program() { throw error; } };
  }
}

