import type { Suggestion, Violated } from '../engine/judge/outcome.js';
import { SUGGESTION } from './suggestion-message.js';
import type { LintContext } from './lint-context.js';

/**
 * Hands a violated outcome to ESLint. Offsets and lines are those of the text ESLint parsed.
 * @param suggestions Those of the outcome that hold.
 */
export function report(context: LintContext, outcome: Violated, suggestions: readonly Suggestion[]): void {
  const { at, messageId, data } = outcome;
  context.report({
    loc: { start: { line: at.line, column: at.column - 1 }, end: { line: at.endLine, column: at.endColumn - 1 } },
    messageId,
    data,
    suggest: suggestions.map(({ title, edits }) => ({
      messageId: SUGGESTION,
      data: { title },
      fix: (fixer) => edits.map((edit) => fixer.replaceTextRange([edit.start, edit.end], edit.text)),
    })),
  });
}
