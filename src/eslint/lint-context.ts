import type { RuleContext } from '@typescript-eslint/utils/ts-eslint';

/** ESLint's context as a step-lock rule sees it: no options, messages by id. Members used are those ESLint 8.57 to 10 share. */
export type LintContext = Readonly<RuleContext<string, []>>;
