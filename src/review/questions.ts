import type { Judged } from './tally.js';
import type { Question } from './types.js';

/** The questions that would settle unknown outcomes, each once, the one that settles most first. */
export function questionsOf(judged: readonly Judged[], siteId: (engineId: string) => string, text: (sentence: string) => string): Question[] {
  const groups = new Map<string, { question: string; configKey: string; settles: Set<string> }>();
  for (const { site, outcome } of judged) {
    if (outcome.status !== 'unknown') continue;
    const question = text(outcome.missing.question);
    const configKey = outcome.missing.configKey ?? '';
    const key = `${question}\0${configKey}`;
    const group = groups.get(key) ?? { question, configKey, settles: new Set<string>() };
    groups.set(key, group);
    group.settles.add(siteId(site.id));
  }
  return [...groups.values()]
    .map(({ question, configKey, settles }) => ({ question, settles: [...settles], configKey }))
    .sort((a, b) => b.settles.length - a.settles.length || (a.question < b.question ? -1 : a.question > b.question ? 1 : a.configKey < b.configKey ? -1 : 1));
}
