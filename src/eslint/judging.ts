import { MOST_CHECKS } from '../engine/judge/checked-suggestions.js';
import type { Violated } from '../engine/judge/outcome.js';
import { reported } from '../engine/judge/reported.js';
import type { Site } from '../engine/judge/site.js';
import { checkedSuggestions } from './checked-suggestions.js';
import { acceptedIn, type Accepted } from './exceptions.js';
import { createFileAnalysis, type AnalysedFile, type Engine } from './file-analysis.js';
import type { Finding } from './finding.js';
import type { LintContext } from './lint-context.js';
import type { Asked } from './noting-project.js';
import type { ProgramProjects } from './program-project.js';
import { readSettings } from './settings.js';

/** What judges a linted file. */
export interface Judging {
  /**
   * Judges the file with all rules, whichever are on.
   * @param projectOf How other files of a program are reached.
   * @returns Undefined: there is nothing in it to judge.
   * @throws {SettingsError} for a mistake in the settings, in an exceptions file or in a tag of the file.
   */
  judge(context: LintContext, projectOf: ProgramProjects): JudgedFile | undefined;
}

export interface JudgedFile {
  /** What is to be shown, in order of rule and place; what an exception accepts is left out. */
  readonly findings: readonly Finding[];
  /** Whether others may be shown with other exceptions, or on another day. */
  readonly exceptions: Accepted['exceptions'];
  /** What was asked of other files and of the platform, so far: trying a suggestion asks too. */
  readonly asked: Asked;
  /** Tries the suggestions of one of the findings. */
  tried(finding: Finding): Finding;
}

export function createJudging(engine: Engine): Judging {
  const fileAnalysis = createFileAnalysis(engine);
  return {
    judge(context, projectOf) {
      const analysed = fileAnalysis(context, projectOf);
      if (analysed === undefined) return undefined;
      const { accepted, exceptions } = acceptedIn(context, analysed, engine.rules);
      const shown = engine.rules.flatMap((rule) => shownOf(rule, analysed, context.settings)).filter(({ outcome }) => !accepted.has(outcome));
      const outcomes = new Map(withFirstSuggestions(shown).map((one) => [findingOf(one), one]));
      return {
        findings: [...outcomes.keys()],
        exceptions,
        asked: analysed.asked,
        tried(finding) {
          const own = outcomes.get(finding);
          return own === undefined ? finding : { ...finding, suggestions: checkedSuggestions(analysed, own) };
        },
      };
    },
  };
}

/** A violated outcome that is shown. */
export interface Shown {
  readonly rule: string;
  readonly site: Site;
  readonly outcome: Violated;
}

/** The violated outcomes of one rule to be shown in this file, in order of place. */
function shownOf(definition: Engine['rules'][number], { file, sites }: AnalysedFile, settings: unknown): Shown[] {
  const { profile, certainty } = readSettings(settings);
  // A strict rule that is on was switched on by hand or by the strict config: to filter it by profile once more would make it mute.
  const asked = definition.profile === 'strict' ? 'strict' : profile;
  const shown = new Map<string, Shown>();
  for (const { site, outcome } of reported(sites, [definition], asked, certainty)) {
    if (outcome.at.file !== file) continue;
    // Two sites may be broken by one line (one acquire, two writes): the editor shows that line once.
    const key = `${outcome.at.line}:${outcome.at.column}:${outcome.messageId}`;
    if (!shown.has(key)) shown.set(key, { rule: definition.id, site, outcome });
  }
  return [...shown.values()];
}

/** Which suggestions of a file are tried is told by the file, not by the rules that are on or the order in which they ask. */
function withFirstSuggestions(shown: readonly Shown[]): Shown[] {
  let left = MOST_CHECKS;
  return shown.map((one) => {
    const suggestions = one.outcome.suggestions?.slice(0, left) ?? [];
    left -= suggestions.length;
    return { ...one, outcome: { ...one.outcome, suggestions } };
  });
}

function findingOf({ rule, outcome: { at, messageId, data, suggestions = [] } }: Shown): Finding {
  const { line, column, endLine, endColumn } = at;
  return { rule, line, column, endLine, endColumn, messageId, data, ...(suggestions.length === 0 && { suggestions: [] }) };
}
