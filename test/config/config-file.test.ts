import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.js';
import { runCommandLine } from '../../src/cli/command-line.js';
import type { Terminal } from '../../src/cli/terminal.js';
import { tempTree } from '../audit/temp-tree.js';
import { FAULTS, HOUSE, MISUSED } from './house-wrapper.js';

const AS_JSON = JSON.stringify({ locks: [HOUSE] });
const AS_TS = `import { defineConfig, type Config } from 'step-lock/config';\nenum Unit { Ms = 'ms' }\nconst config: Config = ${AS_JSON.replace('"ms"', 'Unit.Ms')};\nexport default defineConfig(config);\n`;

interface Run { readonly code: number; readonly out: string; readonly err: string }

async function run(cwd: string, ...args: string[]): Promise<Run> {
  const told = { out: '', err: '' };
  const stream = (into: 'out' | 'err'): Terminal['stdout'] => ({ write: (text: string) => { told[into] += text; return true; } });
  const code = await runCommandLine(args, { cwd, env: {}, stdout: stream('out'), stderr: stream('err') });
  return { code, ...told };
}

interface Told { readonly findings: readonly { rule: string; line: number }[]; readonly scope: { configDigest: string; profile: string; filesSkipped: readonly { file: string; reason: string }[] }; readonly errors: readonly unknown[] }

async function review(cwd: string, ...args: string[]): Promise<Told> {
  const { out, err } = await run(cwd, 'audit', '--format', 'json', '--fail-on', 'never', ...args);
  if (out === '') throw new Error(err);
  return JSON.parse(out) as Told;
}

function faults({ findings }: Told): string[] {
  return findings.map(({ rule, line }) => `${rule}:${line}`).sort();
}

describe('step-lock.config', () => {
  it.each([
    ['json', AS_JSON],
    ['mjs', `export default ${AS_JSON};`],
    ['js', `module.exports = ${AS_JSON};`],
    ['ts', AS_TS],
    ['mts', AS_TS],
  ])('as .%s makes the misuse of a wrapper found whose source nobody sees', async (extension, text) => {
    const root = tempTree({ [`step-lock.config.${extension}`]: text, 'src/worker.ts': MISUSED });
    expect(faults(await review(root))).toEqual([...FAULTS].sort());
  });

  it('is found in a folder above, and named by --config', async () => {
    const root = tempTree({ 'step-lock.config.json': AS_JSON, 'other.json': '{}', 'a/b/worker.ts': MISUSED });
    expect(faults(await review(join(root, 'a/b')))).toEqual([...FAULTS].sort());
    expect(faults(await review(join(root, 'a/b'), '--config', '../../other.json'))).toEqual([]);
  });

  it('sets profile and certainty, which flags override', async () => {
    const root = tempTree({ 'step-lock.config.json': JSON.stringify({ locks: [HOUSE], profile: 'strict', certainty: 'certain' }), 'src/worker.ts': MISUSED });
    const configured = await review(root);
    expect(configured.scope.profile).toBe('strict');
    expect(faults(configured).length).toBeLessThan(FAULTS.length);
    const flagged = await review(root, '--profile', 'recommended', '--certainty', 'likely');
    expect(flagged.scope.profile).toBe('recommended');
    expect(faults(flagged)).toEqual([...FAULTS].sort());
  });

  it('leaves files out that it ignores, seen from its folder', async () => {
    const root = tempTree({ 'step-lock.config.json': JSON.stringify({ locks: [HOUSE], ignore: ['a/old/'] }), 'a/old/worker.ts': MISUSED });
    const told = await review(join(root, 'a'));
    expect(faults(told)).toEqual([]);
    expect(told.scope.filesSkipped).toEqual([{ file: 'old/worker.ts', reason: 'left out by `ignore` of the configuration' }]);
  });

  it('is part of the digest', async () => {
    const digest = async (config: object): Promise<string> => (await review(tempTree({ 'step-lock.config.json': JSON.stringify(config), 'a.ts': '' }))).scope.configDigest;
    const all = await Promise.all([{}, { locks: [HOUSE] }, { policy: { instances: 'one' } }, { ignore: ['a'] }, { targets: [{ name: 'x' }] }, { certainty: 'likely' }].map(digest));
    expect(new Set(all).size).toBe(all.length);
    expect(await digest({})).toBe(all[0]);
  });

  it.each([
    ['step-lock.config.json', '{ "policy": { "onOutage": "open" } }', 'step-lock: `policy.onOutage` in step-lock.config.json must be one of `fail-closed`, `fail-open`, not `open`. docs/configuration.md shows what can be said.\n'],
    ['step-lock.config.json', '{ "policy": ', 'step-lock: step-lock.config.json cannot be read: '],
    ['step-lock.config.mjs', 'throw new Error("no");', 'step-lock: step-lock.config.mjs cannot be read: no. Make it a module whose default export is the configuration.\n'],
  ])('broken as %s %s stops the run with one sentence', async (name, text, told) => {
    const { code, out, err } = await run(tempTree({ [name]: text, 'a.ts': '' }), 'audit');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.startsWith(told)).toBe(true);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('stops the run where it is not there, or there twice', async () => {
    expect((await run(tempTree({ 'a.ts': '' }), 'audit', '--config', 'x.json')).err).toBe('step-lock: There is no file `x.json`. Give --config the path of a step-lock.config file.\n');
    expect((await run(tempTree({ 'step-lock.config.json': '{}', 'step-lock.config.ts': '' }), 'audit')).err).toBe('step-lock: There are both step-lock.config.ts and step-lock.config.json in one folder. Keep one of them, or name one with --config.\n');
  });

  it('is empty where there is none', async () => {
    expect(await loadConfig(tempTree({ 'a.ts': '' }))).toEqual({ config: {}, folder: undefined });
  });
});

describe('a tag', () => {
  it('makes subjects of calls in files that hold no telling word', async () => {
    const root = tempTree({
      'turns.ts': 'export interface Turns {\n  /** @acquiresLock ttl=wait.for unit=ms */\n  enter(stepId: string, worker: string, wait: { for: number }): Promise<boolean>;\n  /** @releasesLock owner=worker ifNotHeld=harmless */\n  leave(stepId: string, worker?: string): Promise<void>;\n}\n',
      'worker.ts': MISUSED.replace('@acme/turns', './turns'),
    });
    expect(faults(await review(root))).toEqual([...FAULTS].sort());
  });
});

describe('a wrong tag', () => {
  it('is an error of the review, with file and line', async () => {
    const root = tempTree({ 'a.ts': '// lock\n/** @acquiresLock key=stpId */\nexport declare function enter(stepId: string): Promise<boolean>;\n' });
    expect((await review(root)).errors).toEqual([{ file: 'a.ts', line: 2, message: '`key=stpId` in `@acquiresLock` of `enter` names no parameter: its parameters are `stepId`.' }]);
  });
});
