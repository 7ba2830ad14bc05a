import { resolve } from 'node:path';
import type { AuditResult } from '../audit/audit.js';
import { readSource } from '../audit/read-source.js';
import type { WithheldSuggestion } from '../engine/judge/with-checked-suggestions.js';
import { fixDiffs } from '../report/fix-diffs.js';
import { printable } from '../report/paint.js';
import { localPaths } from '../review/local-path.js';
import type { Review } from '../review/types.js';
import type { Terminal } from './terminal.js';

/** Prints the checked fixes as diffs, and tells on stderr which were tried and are not offered. */
export function printFixes(review: Review, result: Pick<AuditResult, 'withheld' | 'root'>, terminal: Terminal): void {
  tellWithheld(result, terminal);
  terminal.stdout.write(fixDiffs(review, {
    source: (file) => {
      const source = readSource(resolve(terminal.cwd, file));
      return source !== 'gone' && 'text' in source ? source.text : undefined;
    },
  }));
}

function tellWithheld({ withheld, root }: Pick<AuditResult, 'withheld' | 'root'>, { stderr }: Terminal): void {
  const local = localPaths(root);
  for (const { rule, site, title, why } of withheld) stderr.write(`step-lock: a fix of ${rule} at ${local.text(site)} is withheld: ${WHY[why]}. It was: ${printable(title)}\n`);
}

const WHY = {
  'too-many': 'so many fixes of this file were tried already',
  'out-of-bounds': 'its edits do not fit the text',
  'syntax': 'the text can no longer be read with it',
  'not-found-alone': 'the file alone does not show the fault, so that nothing can show it mended',
  'still-there': 'the fault is still found with it',
  'something-new': 'another fault is found with it',
} as const satisfies Record<WithheldSuggestion['why'], string>;
