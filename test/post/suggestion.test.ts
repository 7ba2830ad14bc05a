import { describe, expect, it } from 'vitest';
import { shows } from '../../src/post/diff-lines.js';
import { suggestedChange } from '../../src/post/suggestion.js';

const SOURCE = 'one();\ntwo();\r\nthree(`x`);\nfour();';

function fix(...edits: readonly (readonly [from: string, to: string])[]): Parameters<typeof suggestedChange>[0] {
  return { fix: { title: 'Mend.', edits: edits.map(([from, text]) => ({ start: SOURCE.indexOf(from), end: SOURCE.indexOf(from) + from.length, text })) } };
}

describe('a suggestion', () => {
  it('replaces whole lines', () => {
    expect(suggestedChange(fix(['wo', '']), SOURCE)).toEqual({ lines: { first: 2, last: 2 }, block: ['```suggestion', 't();', '```'] });
  });

  it('of several edits is one, with the lines between', () => {
    expect(suggestedChange(fix(['four', 'FOUR'], ['two', 'TWO']), SOURCE)).toEqual({ lines: { first: 2, last: 4 }, block: ['```suggestion', 'TWO();', 'three(`x`);', 'FOUR();', '```'] });
  });

  it('of a line without an end, at the end of the file', () => {
    expect(suggestedChange(fix(['four();', 'four();\nfive();']), SOURCE)).toEqual({ lines: { first: 4, last: 4 }, block: ['```suggestion', 'four();', 'five();', '```'] });
  });

  it('an insertion keeps what stands before and behind it', () => {
    expect(suggestedChange({ fix: { title: '', edits: [{ start: 4, end: 4, text: 'a' }] } }, SOURCE)?.block).toEqual(['```suggestion', 'one(a);', '```']);
  });

  it('has a fence that its text does not close', () => {
    expect(suggestedChange(fix(['one', '````']), SOURCE)?.block).toEqual(['`````suggestion', '````();', '`````']);
  });

  it('there is none without a fix, without the source, for edits that the source does not hold, and for a page of text', () => {
    expect(suggestedChange({}, SOURCE)).toBeUndefined();
    expect(suggestedChange(fix(['one', '']), undefined)).toBeUndefined();
    expect(suggestedChange({ fix: { title: '', edits: [{ start: 0, end: 9_999, text: '' }] } }, SOURCE)).toBeUndefined();
    expect(suggestedChange(fix(['one', '\n'.repeat(60)]), SOURCE)).toBeUndefined();
  });
});

it('lines of two hunks are not shown as one place', () => {
  const diff = { files: [{ path: 'a.ts', shown: [{ first: 1, last: 4 }, { first: 5, last: 9 }] }] };
  expect([shows(diff, 'a.ts', { first: 2, last: 4 }), shows(diff, 'a.ts', { first: 4, last: 5 }), shows(diff, 'b.ts', { first: 1, last: 1 })]).toEqual([true, false, false]);
});
