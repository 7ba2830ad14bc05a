import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import plugin from '../../src/eslint/index.js';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTY, entry, fingerprintIn } from '../exceptions/faulty.js';

interface Asked { readonly cwd?: string; readonly asOf?: string; readonly parser?: Linter.Parser; readonly file?: string }

/** The rules that report at each line: `require-ttl 4`. */
function lint(text: string, { cwd = tempTree({}), asOf = '2026-12-01', parser = typescriptParser, file = 'src/a.ts' }: Asked = {}): string[] {
  const config: Linter.Config[] = [{ files: ['**/*.{ts,js}'], languageOptions: { parser } }, ...plugin.configs.recommended, { settings: { 'step-lock': { asOf } } }];
  return new Linter({ cwd }).verify(text, config, { filename: join(cwd, file) }).map(({ ruleId, message, line }) => {
    if (ruleId === null) throw new Error(message);
    return `${ruleId.replace('step-lock/', '')} ${String(line)}`;
  });
}

const commented = (rules: string, said = 'owner: platform, expires: 2027-03-01, reason: single worker'): string => FAULTY.replace('  const won', `  // step-lock-ignore-next-line ${rules} -- ${said}\n  const won`);

describe('ESLint honours exceptions', () => {
  it('reports the fault without one', () => {
    expect(lint(FAULTY)).toEqual(['require-ttl 5']);
  });

  it('in a comment', () => {
    expect(lint(commented('require-ttl'))).toEqual([]);
  });

  it('in a comment, under a parser that keeps no TypeScript tree', async () => {
    const espree = await import('espree');
    const untyped = commented('require-ttl').replace('declare const redis: any;\n', '').replace('declare function work(): Promise<void>;', '').replaceAll(/: (?:string|Promise<void>)/g, '');
    expect(lint(untyped.replace(/ *\/\/ step-lock.*\n/, ''), { parser: espree, file: 'src/a.js' })).toEqual(['require-ttl 4']);
    expect(lint(untyped, { parser: espree, file: 'src/a.js' })).toEqual([]);
  });

  it.each([
    ['of another rule', commented('require-release')],
    ['without an owner', commented('require-ttl', 'expires: 2027-03-01, reason: single worker')],
    ['with the owner left to be filled in', commented('require-ttl', 'owner: <who answers for it>, expires: 2027-03-01, reason: single worker')],
    ['without a date', commented('require-ttl', 'owner: platform, reason: single worker')],
    ['with no day of the calendar', commented('require-ttl', 'owner: platform, expires: 2027-02-30, reason: single worker')],
  ])('none %s', (_, text) => {
    expect(lint(text)).toEqual(['require-ttl 6']);
  });

  it('through its last day and no longer', () => {
    expect(lint(commented('require-ttl'), { asOf: '2027-03-01' })).toEqual([]);
    expect(lint(commented('require-ttl'), { asOf: '2027-03-02' })).toEqual(['require-ttl 6']);
  });

  it.each([
    ['a file', { file: 'src/a.ts' }, []],
    ['a pattern', { file: 'src/**' }, []],
    ['a function of a file', { file: 'src/a.ts', function: 'nightly' }, []],
    ['another function', { file: 'src/a.ts', function: 'weekly' }, ['require-ttl 5']],
    ['another file', { file: 'src/b.ts' }, ['require-ttl 5']],
    ['another fingerprint', { fingerprint: '00112233445566778899' }, ['require-ttl 5']],
  ])('in the exceptions file: %s', (_, where, left) => {
    const cwd = tempTree({ 'step-lock.exceptions.json': entry({ rule: 'require-ttl', ...where }) });
    expect(lint(FAULTY, { cwd })).toEqual(left);
  });

  it('in the exceptions file: the fingerprint', () => {
    const cwd = tempTree({});
    writeFileSync(join(cwd, 'step-lock.exceptions.json'), entry({ rule: 'require-ttl', fingerprint: fingerprintIn(join(cwd, 'src/a.ts')) }));
    expect(lint(FAULTY, { cwd })).toEqual([]);
  });

  it('in the exceptions file: one of equals in several files, by the file beside the fingerprint', () => {
    const cwd = tempTree({});
    const written = (file: string): void => { writeFileSync(join(cwd, 'step-lock.exceptions.json'), entry({ rule: 'require-ttl', fingerprint: `${fingerprintIn(join(cwd, 'src/a.ts'))}-2`, file })); };
    written('src/a.ts');
    expect(lint(FAULTY, { cwd })).toEqual([]);
    written('src/b.ts');
    expect(lint(FAULTY, { cwd })).toEqual(['require-ttl 5']);
  });

  it('in the exceptions file of a folder above, and as it is after an edit', () => {
    const root = tempTree({ 'step-lock.exceptions.json': entry({ rule: 'require-ttl', file: 'pkg/src/a.ts' }), 'pkg/x': '' });
    expect(lint(FAULTY, { cwd: join(root, 'pkg') })).toEqual([]);
    writeFileSync(join(root, 'step-lock.exceptions.json'), entry());
    expect(lint(FAULTY, { cwd: join(root, 'pkg') })).toEqual(['require-ttl 5']);
  });

  it('and refuses a file that it cannot read', () => {
    const cwd = tempTree({ 'step-lock.exceptions.json': '{ "schemaVersion": 1, "exceptions": [{ "rule": "require-ttl", "fil": "a.ts" }] }' });
    expect(() => lint(FAULTY, { cwd })).toThrow('`exceptions[0]` in step-lock.exceptions.json has no key `fil`; it knows `rule`');
  });

  it('and refuses a day that is none', () => {
    expect(() => lint(FAULTY, { asOf: 'tomorrow' })).toThrow('`asOf` in ESLint settings[\'step-lock\'] must be a day of the calendar like `2027-03-01`, not `tomorrow`.');
  });
});
