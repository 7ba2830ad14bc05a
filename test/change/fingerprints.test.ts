import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import type { Project } from '../../src/engine/project.js';
import { builtInModels } from '../../src/models/index.js';
import { fingerprints } from '../../src/review/fingerprint.js';
import { allFixtures } from '../fixtures/fixture-files.js';
import { seeded } from '../robustness/seeded.js';
import { readText } from '../robustness/sources.js';
import { MECHANICAL_EDITS, parse, type Text } from './mechanical-edits.js';

/** Seeded: a run in CI fails for the change under test, not by luck. */
const SEED = 20_261_130;
const EDITS = 200;
const KINDS = Object.entries(MECHANICAL_EDITS);

const fixtures = allFixtures().map(({ path }): Text => ({ path, text: readText(path) }));
const withFindings = fixtures.filter((file) => printsOf([file]).length > 0);

/** `root`: it is about a value that several functions share. */
interface Printed { readonly print: string; readonly rule: string; readonly fn: string; readonly root?: string }

/** The findings of the strict profile over files that reach each other, each with its fingerprint. */
function printed(files: readonly Text[]): Printed[] {
  const parsed = new Map(files.map(({ path, text }) => [path, parse(path, text)]));
  const project: Project = {
    file: (path) => parsed.get(path),
    resolve: (from, specifier) => {
      const stem = join(dirname(from), specifier.replace(/\.js$/, ''));
      return [...parsed.keys()].find((path) => path.replace(/\.ts$/, '') === stem);
    },
    runLimit: () => undefined,
    filesMentioning: (name) => files.filter(({ text }) => new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text)).map(({ path }) => path),
  };
  const whole = files.length > 1;
  const { sites } = analyse([...parsed.values()], { ts, models: builtInModels, rules, ...(whole && { project, whole }) });
  const found = reported(sites, rules, 'strict');
  const prints = fingerprints(found);
  return found.map(({ rule, site, outcome: { root } }, at) => ({ print: prints[at] ?? '', rule: rule.id, fn: site.name, ...(root !== undefined && { root }) }));
}

function printsOf(files: readonly Text[]): string[] {
  return printed(files).map(({ print }) => print).sort();
}

describe(`${String(EDITS)} mechanical edits`, () => {
  it('keep every fingerprint of the fixtures', () => {
    const choose = seeded(SEED);
    let changed = 0;
    for (let at = 0; at < EDITS; at++) {
      const file = withFindings[choose(withFindings.length)];
      const [kind, edit] = KINDS[at % KINDS.length] ?? [];
      if (file === undefined || edit === undefined) throw new Error('no fixture has a finding');
      // Every other one is edited twice: layouts meet.
      const once = edit(file, choose);
      const edited = at % 2 === 0 ? once : (KINDS[choose(KINDS.length)]?.[1] ?? edit)(once, choose);
      if (edited.text !== file.text || edited.path !== file.path) changed += 1;
      expect(printsOf([edited]), `${String(kind)}: ${file.path}\n${edited.text}`).toEqual(printsOf([file]));
    }
    expect(changed).toBeGreaterThan(EDITS * 0.7);
  }, 300_000);

  it('keep every fingerprint of the sample program', () => {
    const folder = fileURLToPath(new URL('../../fixtures/projects/agent-runtime/src', import.meta.url));
    const program = readdirSync(folder).sort().map((name): Text => ({ path: join(folder, name), text: readText(join(folder, name)) }));
    const before = printsOf(program);
    expect(before.length).toBeGreaterThan(5);
    const choose = seeded(SEED + 1);
    // A renamed file would need its imports rewritten: git knows renames, the fixtures above know names.
    const kinds = KINDS.filter(([kind]) => kind !== 'a renamed file');
    for (let round = 0; round < 12; round++) {
      const edited = program.map((file) => {
        const [, edit] = kinds[choose(kinds.length)] ?? [];
        return edit === undefined || choose(2) === 0 ? file : edit(file, choose);
      });
      expect(printsOf(edited)).toEqual(before);
    }
  }, 300_000);
});

describe('a real change loses them', () => {
  it('another function', () => {
    let lost = 0;
    for (const file of withFindings.filter((_, at) => at % 4 === 0)) {
      const [first] = printed([file]);
      const name = first?.fn.slice(first.fn.lastIndexOf('.') + 1) ?? '';
      if (first === undefined || !/^[a-z]\w+$/.test(name)) continue;
      const renamed = { ...file, text: file.text.replace(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g'), `${name}Anew`) };
      const after = printed([renamed]).filter(({ fn, root }) => fn.endsWith('Anew') && root === undefined);
      if (after.length === 0) continue;
      lost += 1;
      const before = new Set(printed([file]).filter(({ fn }) => fn === first.fn).map(({ print }) => print));
      expect(after.filter(({ print }) => before.has(print)), `${file.path} ${name}`).toEqual([]);
    }
    expect(lost).toBeGreaterThan(20);
  }, 300_000);

  const LOCK = (key: string, ttl = ''): string => `
    import Redis from 'ioredis';
    const redis = new Redis();
    export async function work(id: string, owner: string) {
      if ((await redis.set(${key}, owner${ttl}, 'NX')) !== 'OK') return;
      await redis.del(${key});
    }`;
  const lockPrints = (key: string, ttl?: string): Printed[] => printed([{ path: '/shop/src/work.ts', text: LOCK(key, ttl) }]);

  it('another key, and not its quotes', () => {
    const before = lockPrints('`lock:${id}`');
    expect(before.map(({ rule }) => rule)).toContain('require-ttl');
    expect(lockPrints('`job:${id}`').filter(({ print }) => before.some((b) => b.print === print))).toEqual([]);
    expect(lockPrints('"lock"').map(({ print }) => print)).toEqual(lockPrints('\'lock\'').map(({ print }) => print));
  });

  it('another rule: each of several findings at a place has its own', () => {
    const prints = lockPrints('`lock:${id}`');
    expect(prints.length).toBeGreaterThan(1);
    expect(new Set(prints.map(({ print }) => print)).size).toBe(prints.length);
    const mended = lockPrints('`lock:${id}`', ', \'PX\', 30_000');
    expect(mended.map(({ rule }) => rule)).not.toContain('require-ttl');
    expect(mended.map(({ print }) => print)).not.toContain(prints.find(({ rule }) => rule === 'require-ttl')?.print);
  });

  it('another target', () => {
    const write = (table: string): Printed[] => printed([{ path: '/shop/src/steps.ts', text: `
      import { Pool } from 'pg';
      const pool = new Pool();
      export async function finish(stepId: string) {
        const { rows } = await pool.query("SELECT status FROM ${table} WHERE id = $1", [stepId]);
        if (rows[0].status !== 'running') return;
        await pool.query("UPDATE ${table} SET status = 'done' WHERE id = $1", [stepId]);
      }` }]);
    const before = write('steps');
    expect(before.length).toBeGreaterThan(0);
    expect(write('tasks').filter(({ print }) => before.some((b) => b.print === print))).toEqual([]);
  });
});
