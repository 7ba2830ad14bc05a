import type { Finding } from './finding.js';
import type { JudgedFile, Judging } from './judging.js';
import { keptFindings, type Keeping, type KeptFile } from './kept-findings.js';
import type { LintContext } from './lint-context.js';
import { programProject } from './program-project.js';

/** What is to be shown of a rule in the file being linted, in order of place. */
export type FileFindings = (context: LintContext, rule: string) => readonly Finding[];

/** The file of one lint, shared by all rules. */
interface LintedFile {
  /** Undefined: nothing is kept of the file. */
  readonly kept: KeptFile | undefined;
  /** Null: there is nothing to judge; undefined: it has not been judged. */
  judged?: JudgedFile | null;
  /** By rule; rules without findings are left out. */
  found?: ReadonlyMap<string, readonly Finding[]>;
}

const NONE: readonly Finding[] = [];

/**
 * One judgement a file, and none where the findings are kept.
 * @param keep How findings are kept; undefined: none are.
 */
export function createFileFindings(judging: () => Judging, keep: Keeping | undefined): FileFindings {
  // The key is the syntax tree, which is new for each parse, so nothing grows stale.
  const files = new WeakMap<object, LintedFile>();
  const keptOf = keep && keptFindings(keep);
  return (context, rule) => {
    const { ast } = context.sourceCode;
    let file = files.get(ast);
    if (file === undefined) {
      file = { kept: keptOf?.(context) };
      files.set(ast, file);
    }
    file.found ??= byRule(file.kept?.findings ?? judgedFindings(context, file));
    const found = file.found.get(rule) ?? NONE;
    return found.every(({ suggestions }) => suggestions !== undefined) ? found : withSuggestions(context, file, rule);
  };

  function judgedFindings(context: LintContext, file: LintedFile): readonly Finding[] {
    const judged = judge(context, file);
    file.kept?.keep(judged);
    return judged?.findings ?? NONE;
  }

  /** Those of a rule that is on for the first time have not been tried. */
  function withSuggestions(context: LintContext, file: LintedFile, rule: string): readonly Finding[] {
    const judged = judge(context, file);
    const own = (judged?.findings ?? NONE).filter((finding) => finding.rule === rule).map((finding) => (finding.suggestions === undefined ? judged?.tried(finding) ?? finding : finding));
    file.found = new Map([...file.found ?? [], [rule, own]]);
    if (judged !== null) file.kept?.keep({ ...judged, findings: [...file.found.values()].flat() });
    return own;
  }

  function judge(context: LintContext, file: LintedFile): JudgedFile | null {
    if (file.judged === undefined) file.judged = judging().judge(context, programProject) ?? null;
    return file.judged;
  }
}

function byRule(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const own = found.get(finding.rule);
    if (own === undefined) found.set(finding.rule, [finding]);
    else own.push(finding);
  }
  return found;
}
