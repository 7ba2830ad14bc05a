import { analyseText } from '../../fixtures/front-ends.js';

/** What a rule says of each state write of a text (`A`: of each acquire), in order: the status of its outcome, or what is missing where it is unknown. */
export function said(text: string, rule = 'require-cas', subject: 'T' | 'A' = 'T'): string[] {
  return analyseText('/p/a.ts', text).sites.filter(({ facts }) => facts.subject === subject).map(({ outcomes }) => {
    const outcome = outcomes[rule];
    return outcome?.status === 'unknown' ? outcome.missing.fact.replace(/^.*?: /, '') : outcome?.status ?? 'none';
  });
}
