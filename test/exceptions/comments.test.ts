import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { commentFormAt, exceptionComments } from '../../src/exceptions/comments.js';

const SAID = '-- owner: platform, expires: 2027-03-01, reason: drained first, see runbook';

/** `rule @line owner` of each exception that a text declares. */
function read(text: string, file = '/a.ts'): { rule: string; line: number; covers: number; owner: string | undefined; expires: string | undefined; reason: string | undefined; mistake: string | undefined }[] {
  return exceptionComments(ts, ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)).map(({ rule, line, covers, owner, expires, reason, mistake }) => {
    if (covers.kind !== 'line') throw new Error('a comment covers a line');
    return { rule, line, covers: covers.line, owner, expires, reason, mistake };
  });
}

const places = (text: string, file?: string): string[] => read(text, file).map(({ rule, line, covers }) => `${rule} ${String(line)} ${String(covers)}`);

describe('an exception in a comment', () => {
  it('says rule, owner, date and reason; the reason is last and may hold commas', () => {
    expect(read(`// step-lock-ignore-next-line require-ttl ${SAID}\nwork();`)).toEqual([
      { rule: 'require-ttl', line: 1, covers: 2, owner: 'platform', expires: '2027-03-01', reason: 'drained first, see runbook', mistake: undefined },
    ]);
  });

  it.each([
    ['the next line', `// step-lock-ignore-next-line r ${SAID}\na();`, 'r 1 2'],
    ['its own line', `a(); // step-lock-ignore-line r ${SAID}\nb();`, 'r 1 1'],
    ['a block comment', `/* step-lock-ignore-next-line r ${SAID} */\na();`, 'r 1 2'],
    ['a comment of documentation', `/**\n * step-lock-ignore-next-line r ${SAID}\n */\nfunction f() {}`, 'r 1 4'],
    ['a block comment within the line', `a(/* step-lock-ignore-line r ${SAID} */ b);`, 'r 1 1'],
    ['blank lines and comments between', `// step-lock-ignore-next-line r ${SAID}\n\n// the lock is kept on purpose\n/* two\nlines */\na();`, 'r 1 6'],
    ['behind code', `a(); // step-lock-ignore-next-line r ${SAID}\nb();`, 'r 1 2'],
    ['within a chain', `a\n  // step-lock-ignore-next-line r ${SAID}\n  .b()\n  .c();`, 'r 2 3'],
    ['within a template', `const t = \`x\${\n  // step-lock-ignore-next-line r ${SAID}\n  a()}\`;`, 'r 2 3'],
    ['carriage returns', `// step-lock-ignore-next-line r ${SAID}\r\na();\r\n`, 'r 1 2'],
    ['the name as ESLint spells it', `// step-lock-ignore-next-line step-lock/r ${SAID}\na();`, 'r 1 2'],
    ['the end of the file', `a();\n// step-lock-ignore-next-line r ${SAID}`, 'r 2 3'],
    ['a shebang', `#!/usr/bin/env node\n// step-lock-ignore-next-line r ${SAID}\na();`, 'r 2 3'],
  ])('is read: %s', (_, text, place) => {
    expect(places(text)).toEqual([place]);
  });

  it('in JSX stands in braces', () => {
    const text = `const e = <div>\n  {/* step-lock-ignore-next-line r ${SAID} */}\n  <b onClick={() => a()}/>\n</div>;`;
    expect(places(text, '/a.tsx')).toEqual(['r 2 3']);
  });

  it('may name several rules', () => {
    expect(places(`// step-lock-ignore-next-line a, b c ${SAID}\nx();`)).toEqual(['a 1 2', 'b 1 2', 'c 1 2']);
  });

  it('stands beside others before one line', () => {
    expect(places(`// step-lock-ignore-next-line a ${SAID}\n// step-lock-ignore-next-line b ${SAID}\nx();`)).toEqual(['a 1 3', 'b 2 3']);
  });

  it.each([
    ['a string', `const s = '// step-lock-ignore-next-line r ${SAID}';`],
    ['a template', `const s = \`\n// step-lock-ignore-next-line r ${SAID}\n\`;`],
    ['a regular expression', 'const s = /\\/* step-lock-ignore-next-line r *\\//;'],
    ['a template after an expression', `const s = \`\${a} // step-lock-ignore-next-line r ${SAID}\`;`],
    ['a sentence about it', '// write step-lock-ignore-next-line r before the line\na();'],
  ])('is not read in %s', (_, text) => {
    expect(places(text)).toEqual([]);
  });

  it('is not read in the text of an element', () => {
    expect(places(`const e = <p>\n  // step-lock-ignore-next-line r ${SAID}\n  {/* step-lock-ignore-next-line q ${SAID} */}\n</p>;`, '/a.tsx')).toEqual(['q 3 4']);
  });

  it.each([
    ['an unknown word', '// step-lock-ignore-nextline r', /^there is no `step-lock-ignore-nextline`: write `step-lock-ignore-next-line` or `step-lock-ignore-line`$/],
    ['no rule', '// step-lock-ignore-next-line', /^it names no rule$/],
    ['an unknown field', '// step-lock-ignore-next-line r -- owner: a, until: 2027-01-01', /^there is no field `until`: it knows `owner`, `expires`, and at the end `reason`$/],
    ['prose in place of fields', '// step-lock-ignore-next-line r -- we know', /^it cannot be read: after `--` write/],
    ['fields behind the reason', '// step-lock-ignore-next-line r -- reason: why, owner: a', /^`owner` stands behind `reason`/],
  ])('tells %s', (_, comment, mistake) => {
    expect(read(`${comment}\na();`).map((e) => e.mistake)).toEqual([expect.stringMatching(mistake)]);
  });

  it('is read in a file whose expressions are nested deeper than the stack', () => {
    const text = `// step-lock-ignore-next-line r ${SAID}\na();\nconst s = ${Array.from({ length: 3_000 }, () => 'b').join(' + ')};`;
    expect(places(text)).toEqual(['r 1 2']);
  });
});

describe('the form of a comment before a line', () => {
  const form = (text: string, line: number): string => commentFormAt(ts, ts.createSourceFile('/a.tsx', text, ts.ScriptTarget.Latest, true), line);

  it.each([
    ['a statement', 'a();\nb();', 2, 'line'],
    ['the first line', 'a();', 1, 'line'],
    ['a link of a chain', 'a\n  .b()', 2, 'line'],
    ['an attribute', 'const e = <b\n  c={d()}/>;', 2, 'line'],
    ['an element within an element', 'const e = <p>\n  <b c={d()}/>\n</p>;', 2, 'element'],
    ['an expression within an element', 'const e = <p>\n  {d()}\n</p>;', 2, 'element'],
    ['within a template', 'const e = `\n${d()}`;', 2, 'none'],
    ['within a comment', '/*\n*/ a();', 2, 'line'],
    ['behind the end', 'a();', 3, 'none'],
  ])('%s', (_, text, line, expected) => {
    expect(form(text, line)).toBe(expected);
  });
});
