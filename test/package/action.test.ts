import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { tempTree } from '../audit/temp-tree.js';
import { refused } from '../docs/command-lines.js';

const action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({
    using: z.literal('composite'),
    steps: z.array(z.object({ name: z.string(), shell: z.literal('bash'), if: z.string().optional(), env: z.record(z.string(), z.string()), run: z.string() })),
  }),
}).parse(parse(readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')));
const [sarif, judge] = action.runs.steps;

/** Runs the script of a step with `npx` standing in for itself: it writes down what it is called with. */
function run(step: typeof sarif, inputs: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): { status: number | null; args: string[]; output: string } {
  const root = tempTree({ 'bin/npx': '#!/bin/sh\nprintf "%s\\0" "$@" > "$CALLED"\nexit "${NPX_EXIT:-0}"\n', called: '', output: '' });
  chmodSync(join(root, 'bin/npx'), 0o755);
  const given = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, inputs[inputOf(value)] ?? action.inputs[inputOf(value)]?.default ?? '']));
  const env = { PATH: `${join(root, 'bin')}:${process.env['PATH'] ?? ''}`, CALLED: join(root, 'called'), GITHUB_OUTPUT: join(root, 'output'), ...given, ...more };
  const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''], { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  const [noInstall, name, ...args] = readFileSync(join(root, 'called'), 'utf8').split('\0').slice(0, -1);
  expect([noInstall, name]).toEqual(['--no-install', 'step-lock']);
  return { status, args, output: readFileSync(join(root, 'output'), 'utf8') };
}

function inputOf(value: string): string {
  return /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
}

const EVERYTHING = {
  paths: 'src\npackages/a b\n', base: 'origin/main', reporter: 'github-check', config: 'step-lock.config.ts', profile: 'strict', 'fail-on': 'warning', 'require-judged': 'true', 'sarif-file': 'out/a.sarif',
};

describe('action.yml', () => {
  it('hands every input to a step through its environment, and none into the text of a script', () => {
    const used = new Set(action.runs.steps.flatMap(({ env, if: condition = '' }) => [...Object.values(env).map(inputOf), ...(/inputs\.([\w-]+)/.exec(condition) ?? []).slice(1)]));
    expect(Object.keys(action.inputs).filter((name) => !used.has(name))).toEqual(['working-directory']);
    expect(action.runs.steps.filter((step) => step.run.includes('${{'))).toEqual([]);
  });

  it('reviews with every flag it knows, and the command line knows them', async () => {
    const { args } = run(judge, EVERYTHING);
    expect(args).toEqual(['review', '--base', 'origin/main', '--reporter', 'github-check', '--fail-on', 'warning', '--quiet', '--config', 'step-lock.config.ts', '--profile', 'strict', '--require-judged', '--', 'src', 'packages/a b']);
    expect(await refused(args)).toBeUndefined();
  });

  it('reviews against the base branch of a pull request, and audits where there is none', async () => {
    const onPull = run(judge, {}, { GITHUB_BASE_REF: 'main' }).args;
    expect(onPull).toEqual(['review', '--base', 'origin/main', '--reporter', 'github-annotations', '--fail-on', 'error', '--quiet', '--']);
    const onPush = run(judge, {}).args;
    expect(onPush).toEqual(['audit', '--reporter', 'github-annotations', '--fail-on', 'error', '--quiet', '--']);
    expect(run(judge, { base: 'none' }, { GITHUB_BASE_REF: 'main' }).args[0]).toBe('audit');
    expect([await refused(onPull), await refused(onPush)]).toEqual([undefined, undefined]);
  });

  it('writes SARIF of the whole code', async () => {
    const { args } = run(sarif, EVERYTHING);
    expect(args).toEqual(['audit', '--format', 'sarif', '--output-file', 'out/a.sarif', '--fail-on', 'never', '--quiet', '--config', 'step-lock.config.ts', '--profile', 'strict', '--', 'src', 'packages/a b']);
    expect(await refused(args)).toBeUndefined();
  });

  it('fails as step-lock does, and tells its exit code', () => {
    expect(run(judge, {}, { NPX_EXIT: '2' })).toMatchObject({ status: 2, output: 'exit-code=2\n' });
  });

  it('takes hostile inputs as values', () => {
    expect(run(judge, { paths: '$(touch pwned); `id`', base: '"; exit 9; "' }).args).toEqual(expect.arrayContaining(['"; exit 9; "', '$(touch pwned); `id`']));
  });
});
