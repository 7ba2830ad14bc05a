import { expect, it } from 'vitest';
import { wantsColor } from '../../src/cli/terminal.js';

const output = (isTTY: boolean) => ({ isTTY, write: () => true });

it.each([
  ['a terminal', true, {}, true, true], ['a pipe', false, {}, true, false], ['--no-color', true, {}, false, false], ['NO_COLOR', true, { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, true, true], ['FORCE_COLOR on a pipe', false, { FORCE_COLOR: '1' }, true, true], ['FORCE_COLOR=0', true, { FORCE_COLOR: '0' }, true, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, true, false],
])('%s', (_, isTTY, env, flag, expected) => {
  expect(wantsColor(output(isTTY), env, flag)).toBe(expected);
});
