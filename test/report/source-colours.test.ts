import { describe, expect, it } from 'vitest';
import { colouredLines } from '../../src/report/source-colours.js';

const shape = (...lines: readonly string[]): unknown => colouredLines(lines)?.map((line) => line.map(({ text, kind }) => (kind === undefined ? text : [kind, text])));

describe('colouredLines', () => {
  it('tells keywords, strings, numbers and comments from the rest', () => {
    expect(shape('const a: string = f(\'x\', 10); // why')).toEqual([
      [['keyword', 'const'], ' a', ':', ' string ', '=', ' f(', ['string', '\'x\''], ',', ' ', ['number', '10'], ')', ';', ' ', ['comment', '// why']],
    ]);
  });

  it('goes on over the end of a line within a comment or a template', () => {
    expect(shape('/* a', 'b */ `c', 'd`', '')).toEqual([[['comment', '/* a']], [['comment', 'b */'], ' ', ['string', '`c']], [['string', 'd`']], []]);
  });

  it.each([
    ['control characters and codes of a terminal', ['\u001b[31mred\u0007', 'const a = 1']],
    ['an open string and an open template', ['const a = \'x', '`y ${', 'z']],
    ['what is no code', ['\u65e5\u672c \ud83d\ude00 # @ \\ \u202e', '<p>it\'s</p>']],
    ['halves of characters', ['\ud800 a \udc00']],
  ])('loses nothing of %s', (_what, lines) => {
    const whole = colouredLines(lines)?.map((line) => line.map(({ text }) => text).join(''));
     
    expect(whole).toEqual(lines.map((line) => line.replace(/[\u0007\u001b]|\p{Surrogate}/gu, '\uFFFD')));
  });

  it('leaves very large files plain', () => {
    expect(colouredLines(['x'.repeat(400_000)])).toBeUndefined();
  });
});
