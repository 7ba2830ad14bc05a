import { expect, it } from 'vitest';
import { quotedCode, shownCall, shownCode } from '../../../src/engine/syntax/shown-code.js';

it('shows code on one line', () => {
  expect(shownCode('this.db.prepare(`\n    SELECT 1\n`)', 60)).toBe('this.db.prepare(` SELECT 1 `)');
  expect(shownCode('one + two + three', 10)).toBe('one + two…');
});

it('leaves the arguments of a long call out', () => {
  expect(shownCall('send(id)', 'send', 20)).toBe('send(id)');
  expect(shownCall('this.db.prepare(`\n    SELECT id FROM jobs`)', 'this.db.prepare', 30)).toBe('this.db.prepare(…)');
  expect(shownCall('this.very.long.callee.name(id)', 'this.very.long.callee.name', 12)).toBe('this.very.l…');
});

it('quotes once, whatever backticks the code holds, and keeps both ends of what is long', () => {
  expect(quotedCode('stepId')).toBe('`stepId`');
  expect(quotedCode('`step:${id}`')).toBe('`step:${id}`');
  expect(quotedCode('keyOf(`a:${id}`, `b`)')).toBe('`keyOf(\'a:${id}\', \'b\')`');
  expect(quotedCode('lock:workflow:run:step:${id}', 15)).toBe('`lock:wo…p:${id}`');
});
