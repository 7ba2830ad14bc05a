import { describe, expect, it } from 'vitest';
import { fixedSection, listSection, withinBudget } from '../../src/post/body-budget.js';
import { isSummary, markedFinding } from '../../src/post/marker.js';
import { code, words } from '../../src/post/post-text.js';

describe('words', () => {
  it.each([
    ['take `a_b` and *c*', 'take `a_b` and \\*c\\*'],
    ['ask @acme/admins or a@b.c', 'ask @&#8203;acme/admins or a@&#8203;b.c'],
    ['see #12, GH-3 and # 4', 'see \\#&#8203;12, GH&#8203;-3 and # 4'],
    ['https://evil.example www.evil.example', 'https:&#8203;//evil.example www&#8203;.evil.example'],
    ['<b> [x](u) `lone', '\\<b\\> \\[x\\](u) \\`lone'],
    ['costs $1 and $x$', 'costs &#36;1 and &#36;x&#36;'],
    ['two\n\nlines', 'two lines'],
    ['right\u202Eleft', 'right\\\\u{202e}left'],
    ['`@acme <b>`', '`@acme <b>`'],
  ])('%j', (raw, told) => {
    expect(words(raw)).toBe(told);
  });

  it('cuts what is longer than a message', () => {
    expect(words('x'.repeat(10_000))).toBe(`${'x'.repeat(600)} \\[...\\]`);
  });
});

it('code is one line, whatever it holds', () => {
  expect(code('a`b\n<c>\u0007')).toBe('``a`b <c>\\u{7}``');
});

describe('a marker', () => {
  it('is the first line, with or without a carriage return', () => {
    expect(markedFinding('<!-- step-lock:finding:0a1b -->\r\ntext')).toEqual({ state: 'finding', fingerprint: '0a1b' });
    expect(markedFinding('<!-- step-lock:resolved:0a1b -->')).toEqual({ state: 'resolved', fingerprint: '0a1b' });
    expect(isSummary('<!-- step-lock:summary -->\n# x')).toBe(true);
  });

  it.each([' <!-- step-lock:finding:0a1b -->', 'x\n<!-- step-lock:finding:0a1b -->', '<!-- step-lock:finding:0a1b --> x', '<!-- step-lock:finding: -->'])('is not %j', (body) => {
    expect(markedFinding(body)).toBeUndefined();
  });
});

describe('a budget', () => {
  const more = (left: number): string => `and ${left} more`;
  const list = listSection(['list'], ['aaaa', 'bbbb', 'cccc'], (entry) => [entry], more);

  it('holds everything where there is room', () => {
    expect(withinBudget([fixedSection(['head']), list], ['foot'], 100)).toBe('head\nlist\naaaa\nbbbb\ncccc\nfoot');
  });

  it('leaves out whole items and says how many', () => {
    const body = withinBudget([fixedSection(['head']), list], ['foot'], 35);
    expect(body).toBe('head\nlist\naaaa\nand 2 more\nfoot');
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(35);
  });

  it('leaves out a section that does not fit, and goes on', () => {
    expect(withinBudget([fixedSection(['x'.repeat(50)]), fixedSection(['small'])], ['foot'], 30)).toBe('small\nfoot');
  });

  it('counts bytes', () => {
    expect(withinBudget([fixedSection(['ä'.repeat(12)])], ['foot'], 25)).toBe('foot');
  });
});
