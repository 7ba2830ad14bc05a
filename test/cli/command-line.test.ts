import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.js';
import { tempTree } from '../audit/temp-tree.js';

const BIN = fileURLToPath(new URL('../../dist/src/cli/bin.js', import.meta.url));

beforeAll(() => {
  if (!existsSync(BIN)) throw new Error('The command line is tested as built: run `npm run build` first.');
});

interface Run { readonly status: number | null; readonly stdout: string; readonly stderr: string }

function stepLock(cwd: string, ...args: string[]): Run {
  const { NO_COLOR: _no, FORCE_COLOR: _force, ...env } = process.env;
  return spawnSync(process.execPath, [BIN, ...args], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
}

describe('audit', () => {
  it('prints a review of the working directory as JSON, and nothing on stderr', () => {
    const root = tempTree({ 'src/quiet.ts': 'export const sum = 1 + 1;\n', 'src/quiet.test.ts': '' });
    const run = stepLock(root, 'audit', '--format', 'json');
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      schemaVersion: 1, verdict: 'nothing-seen', tool: { name: 'step-lock' },
      scope: { root: '.', profile: 'recommended', filesJudged: 0, filesWithoutSubjects: 1, filesSkipped: [{ file: 'src/quiet.test.ts' }] },
    });
    expect(run.stdout).not.toContain(root);
  });

  it('prints the same bytes twice, and from a folder that is elsewhere', () => {
    const files = { 'src/a.ts': 'export const lock = 1;\n' };
    const [one, two] = [tempTree(files), tempTree(files)];
    expect(stepLock(two, 'audit', '--format', 'json').stdout).toBe(stepLock(one, 'audit', '--format', 'json').stdout);
  });

  it('prints text by default, without colour on a pipe', () => {
    const run = stepLock(tempTree({ 'a.ts': '' }), 'audit');
    expect(run.stdout).toMatch(/^verdict {5}nothing-seen {2}No lock operation and no state write was seen in 1 file/);
    expect(run.stdout).not.toContain('\u001B');
  });

  it('writes the report to a file, whose folder it makes', () => {
    const root = tempTree({ 'a.ts': '' });
    const run = stepLock(root, 'audit', '--format', 'markdown', '--output-file', 'reports/lock.md');
    expect(run).toMatchObject({ status: 0, stdout: '' });
    expect(readFileSync(join(root, 'reports/lock.md'), 'utf8')).toMatch(/^# Lock and state review\n/);
  });

  it('writes several formats in one run, each as a file of the folder, however they are asked for', () => {
    const root = tempTree({ 'a.ts': '' });
    expect(stepLock(root, 'audit', '--format', 'html,markdown', '--format', 'json', '--format', 'html', '--output-dir', 'reports/lock')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(readdirSync(join(root, 'reports/lock')).sort()).toEqual(['step-lock.html', 'step-lock.json', 'step-lock.md']);
    expect(readFileSync(join(root, 'reports/lock/step-lock.html'), 'utf8')).toMatch(/^<!doctype html>\n/);
    expect(readFileSync(join(root, 'reports/lock/step-lock.md'), 'utf8')).toMatch(/^# Lock and state review\n/);
    expect(readFileSync(join(root, 'reports/lock/step-lock.json'), 'utf8')).toBe(stepLock(root, 'audit', '--format', 'json').stdout);
  });

  it('names the owner of a finding from CODEOWNERS at the top of the work tree, also from a folder below', () => {
    const lock = 'import { Redis } from "ioredis";\nconst redis = new Redis();\nexport async function take(id: string) { return await redis.set(`lock:${id}`, id, "NX"); }\n';
    const root = tempTree({ 'apps/my api/src/lock.ts': lock, '.github/CODEOWNERS': '* @everyone\n/apps/my\\ api/ @org/api @second # the API\n' });
    spawnSync('git', ['init', '-q'], { cwd: root });
    const owners = (folder: string): unknown => {
      const review = JSON.parse(stepLock(join(root, folder), 'audit', '--format', 'json').stdout) as { findings: { rule: string; owner?: string }[]; dimensions: { id: string; owner?: string }[] };
      return [review.findings.map(({ rule, owner }) => [rule, owner]), review.dimensions.find(({ id }) => id === 'D2')?.owner];
    };
    expect(owners('.')).toEqual([[['require-ttl', '@org/api @second']], '@org/api @second']);
    expect(owners('apps/my api/src')).toEqual(owners('.'));
  });

  it('reviews a change in several formats: what was there before is a number to read from top to bottom, and a filter in the page', () => {
    const lock = (name: string): string => `import { Redis } from "ioredis";\nconst redis = new Redis();\nexport async function ${name}(id: string) { return await redis.set(\`lock:${name}:\${id}\`, id, "NX"); }\n`;
    const root = tempTree({ 'src/old.ts': lock('before') });
    const git = (...args: string[]): void => { spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: root }); };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'base');
    writeFileSync(join(root, 'src/new.ts'), lock('brought'));
    expect(stepLock(root, 'review', '--base', 'HEAD', '--format', 'markdown,html', '--output-dir', 'reports').status).toBe(1);
    const [page, report] = ['html', 'md'].map((ending) => readFileSync(join(root, `reports/step-lock.${ending}`), 'utf8'));
    expect(report).toContain('1 finding was there before the change: `--all` lists them.');
    expect(report?.match(/^### f\d+ /gm)).toHaveLength(1);
    expect(page).toContain('<option value="new">new (1)</option><option value="old">old (1)</option>');
  });

  it('exits with 2 when nothing was judged and --require-judged asks for some', () => {
    const run = stepLock(tempTree({ 'a.ts': '' }), 'audit', '--require-judged');
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('--require-judged');
    expect(run.stdout).toContain('nothing-seen');
  });

  it('judges left-out kinds when a flag asks for them', () => {
    const root = tempTree({ 'a.test.ts': 'lock', 'b.gen.ts': 'lock', 'c.d.ts': 'lock' });
    const judged = (...flags: string[]): unknown => {
      const review: unknown = JSON.parse(stepLock(root, 'audit', '--format', 'json', ...flags).stdout);
      return typeof review === 'object' && review !== null && 'scope' in review ? review.scope : undefined;
    };
    expect(judged()).toMatchObject({ filesJudged: 0 });
    expect(judged('--include-tests', '--include-generated', '--include-declarations')).toMatchObject({ filesJudged: 3, filesSkipped: [] });
  });

  it('delivers a large report whole to a slow reader', () => {
    const folder = 'd'.repeat(200);
    const root = tempTree(Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`${folder}/${'n'.repeat(100)}${at}.test.ts`, ''])));
    const run = spawnSync('sh', ['-c', `"${process.execPath}" "${BIN}" audit --format json | (sleep 1; cat)`], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
    expect(run.stdout.length).toBeGreaterThan(1_000_000);
    expect(JSON.parse(run.stdout)).toMatchObject({ schemaVersion: 1 });
  });

  it('does not complain when the reader stops early', () => {
    const root = tempTree({ 'a.ts': '' });
    const run = spawnSync('sh', ['-c', `"${process.execPath}" "${BIN}" audit --format json | true`], { cwd: root, encoding: 'utf8' });
    expect(run.stderr).toBe('');
  });
});

describe('mistakes exit with 2, one sentence and the next step', () => {
  it.each([
    ['a path that is not there', ['audit', 'srx'], /^step-lock: There is no file or folder `srx`\. Give the path/],
    ['an unknown rule', ['audit', '--rules', 'require-tll'], /^step-lock: There is no rule `require-tll`\. `step-lock rules` lists/],
    ['an empty list of rules', ['audit', '--rules', ','], /^step-lock: `--rules` names no rule\./],
    ['an unknown format', ['audit', '--format', 'xml'], /Allowed choices are text, json, markdown, html, .*\.\n.*--help/],
    ['no format', ['audit', '--format', ','], /Allowed choices are text/],
    ['several formats on stdout', ['audit', '--format', 'html,json'], /^step-lock: Several formats \(html, json\) cannot go to stdout\. Give --output-dir a folder/],
    ['several formats in one file', ['audit', '--format', 'html', '--format', 'json', '--output-file', 'x'], /^step-lock: Several formats \(html, json\) cannot go into one file\. Give --output-dir/],
    ['a file and a folder', ['audit', '--output-file', 'x', '--output-dir', 'y'], /^step-lock: `--output-file` and `--output-dir` do not go together\. Give/],
    ['a folder that cannot be written to', ['audit', '--output-dir', 'a.ts/x'], /^step-lock: The report cannot be written to `a\.ts\/x\/step-lock\.txt` \(E[A-Z]+\)\. Give --output-dir/],
    ['an unknown profile', ['audit', '--profile', 'lax'], /Allowed choices are recommended, strict\./],
    ['a mistyped flag', ['audit', '--fail-onn', 'error'], /unknown option '--fail-onn'\n\(Did you mean --fail-on\?\)/],
    ['a mistyped command', ['audti'], /unknown command 'audti'\n\(Did you mean audit\?\)/],
    ['a report that cannot be written', ['audit', '--output-file', 'a.ts/x.json'], /^step-lock: The report cannot be written to `a\.ts\/x\.json` \(E[A-Z]+\)\. Give/],
  ])('%s', (_, args, message) => {
    const run = stepLock(tempTree({ 'a.ts': '' }), ...args);
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toMatch(/\n\s+at /);
    expect(run).toMatchObject({ status: 2, stdout: '' });
  });

  it('no command at all shows the help', () => {
    const run = stepLock(tempTree({}));
    expect(run.stderr + run.stdout).toContain('Usage: step-lock');
    expect(run.status).toBe(2);
  });
});

describe('help and version', () => {
  it('say what there is, on stdout', () => {
    expect(stepLock('.', '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(stepLock('.', 'audit', '--help').stdout).toContain('--require-judged');
    expect(stepLock('.', '--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('do not load TypeScript, and an audit does', () => {
    // TypeScript is read from its file, by `require` or by hand with the code that was kept of it.
    const tell = "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; const read = fs.readFileSync; let is = 'LIGHT'; fs.readFileSync = (path, ...more) => { if (/typescript(?:-parser)?\\.c?js$/.test(String(path))) is = 'LOADED'; return read(path, ...more); }; syncBuiltinESMExports(); process.on('exit', () => { console.error(is); });";
    const loads = (...args: string[]): string =>
      spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(tell)}`, BIN, ...args], { cwd: tempTree({}), encoding: 'utf8' }).stderr;
    expect(loads('--help')).toBe('LIGHT\n');
    expect(loads('--version')).toBe('LIGHT\n');
    expect(loads('audit')).toBe('LOADED\n');
  });
});

it('a defect is told with its stack and exits with 2', async () => {
  const told: string[] = [];
  const stdout = { write: () => { throw new Error('out of paper'); } };
  const code = await runCommandLine(['--version'], { cwd: '.', env: {}, stdout, stderr: { write: (text) => told.push(text) } });
  expect(code).toBe(2);
  expect(told.join('')).toMatch(/This is a defect of step-lock[^\n]+\nError: out of paper\n\s+at /);
});

it('rules lists one line a rule', () => {
  expect(stepLock('.', 'rules')).toMatchObject({ status: 0, stderr: '' });
});
