import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { reported } from '../../src/engine/judge/reported.js';
import { analyseText } from '../fixtures/front-ends.js';
import { ruleFixtures } from '../fixtures/fixture-files.js';

const findings = (path: string, text: string) => reported(analyseText(path, text).sites, rules, 'strict');

/** As above, with every short local name of the fixture made as long as names get, and calls laid out over several lines. */
function stretched(text: string): string {
  return text
    .replace(/(?<![\w$.'"`])(stepId|runId|jobId|owner|token|work|step|run|key|id)(?![\w$'"`:?])/g, (name) => `${name}OfTheWorkflowRunThatThisWorkerCarriesOutForItsTenant`)
    .replace(/\((?=\w+, )/g, '(\n      ');
}

describe.each(ruleFixtures())('messages of $title', ({ path }) => {
  const text = readFileSync(path, 'utf8');

  it.each([['as written', text], ['with long names and many lines', stretched(text)]])('are one short line each: %s', (_, source) => {
    for (const { message, outcome } of findings(path, source)) {
      expect(message.length, message).toBeLessThan(240);
      for (const sentence of [message, outcome.action, ...outcome.witness.map(({ note }) => note)]) {
        expect(sentence).not.toMatch(/\s{2}|[\n\r\t]|undefined|\{\{/);
        expect((sentence.match(/`/g) ?? []).length % 2, sentence).toBe(0);
      }
      expect(outcome.witness.length).toBeGreaterThan(0);
      expect(outcome.action).toMatch(/^[A-Z].*\.$/);
    }
  });
});
