import type { Finding } from './finding.js';
import { SUGGESTION } from './suggestion-message.js';
import type { LintContext } from './lint-context.js';

/** Hands a finding to ESLint. Offsets and lines are those of the text ESLint parsed. */
export function report(context: LintContext, { line, column, endLine, endColumn, messageId, data, suggestions = [] }: Finding): void {
  context.report({
    loc: { start: { line, column: column - 1 }, end: { line: endLine, column: endColumn - 1 } },
    messageId,
    data,
    suggest: suggestions.map(({ title, edits }) => ({
      messageId: SUGGESTION,
      data: { title },
      fix: (fixer) => edits.map((edit) => fixer.replaceTextRange([edit.start, edit.end], edit.text)),
    })),
  });
}
