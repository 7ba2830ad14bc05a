import { answerable } from './answers.js';
import type { Judged } from './tally.js';
import type { Question } from './types.js';

interface Group {
  readonly question: string;
  readonly configKey: string;
  readonly answer: string;
  readonly settles: Set<string>;
  unknowns: number;
}

/** The questions that would settle unknown outcomes, each once, the one that settles most first. */
export function questionsOf(judged: readonly Judged[], siteId: (engineId: string) => string, text: (sentence: string) => string): Question[] {
  const groups = new Map<string, Group>();
  for (const { site, rule, outcome } of judged) {
    if (outcome.status !== 'unknown') continue;
    const { question, configKey, answer } = answerable(site, rule.id, outcome.missing);
    // What differs by function only in its tag is one question a function.
    const key = [question, configKey, answer].join('\0');
    const group = groups.get(key) ?? { question: text(question), configKey, answer, settles: new Set<string>(), unknowns: 0 };
    groups.set(key, group);
    group.settles.add(siteId(site.id));
    group.unknowns++;
  }
  return [...groups.values()]
    .map(({ settles, ...group }) => ({ ...group, settles: [...settles] }))
    .sort((a, b) => b.unknowns - a.unknowns || compare(a.question, b.question) || compare(a.configKey, b.configKey) || compare(a.answer, b.answer));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
