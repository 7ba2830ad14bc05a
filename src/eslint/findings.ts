import type { Violated } from '../engine/judge/outcome.js';
import { reported } from '../engine/judge/reported.js';
import type { RuleDefinition } from '../engine/judge/rule.js';
import type { AnalysedFile } from './file-analysis.js';
import { readSettings } from './settings.js';

/** The violated outcomes of one rule to be shown in this file, in order of place. */
export function findingsOf(definition: RuleDefinition, { file, analysis }: AnalysedFile, settings: unknown): Violated[] {
  const { profile, certainty } = readSettings(settings);
  // A strict rule that is on was switched on by hand or by the strict config: to filter it by profile once more would make it mute.
  const asked = definition.profile === 'strict' ? 'strict' : profile;
  const shown = new Map<string, Violated>();
  for (const { outcome } of reported(analysis.sites, [definition], asked, certainty)) {
    if (outcome.at.file !== file) continue;
    // Two sites may be broken by one line (one acquire, two writes): the editor shows that line once.
    const key = `${outcome.at.line}:${outcome.at.column}:${outcome.messageId}`;
    if (!shown.has(key)) shown.set(key, outcome);
  }
  return [...shown.values()];
}
