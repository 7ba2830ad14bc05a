import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit, type AuditOptions, type AuditResult } from '../../src/audit/audit.js';
import { packedState, unpackedState, type AuditState } from '../../src/audit/audit-state.js';
import { crossingParts, filesOfShare } from '../../src/audit/shares.js';
import { UserMistake } from '../../src/audit/user-mistake.js';
import { builtInModels } from '../../src/models/index.js';
import { tempTree } from './temp-tree.js';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

describe('The share of a machine', () => {
  const files = new Map(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((path, at) => [path, 'x'.repeat(at * 10)]));

  it.each([1, 2, 3, 5, 7, 20])('of %i: each file is in one of them', (of) => {
    const all = Array.from({ length: of }, (_, at) => [...filesOfShare(files, { index: at + 1, of })]).flat();
    expect(all.sort()).toEqual([...files.keys()]);
  });

  it('has neighbours, and about as much text as the other', () => {
    expect([...filesOfShare(files, { index: 1, of: 2 })]).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('is empty where there are no files', () => {
    expect(filesOfShare(new Map(), { index: 1, of: 2 }).size).toBe(0);
  });
});

describe.each([['the sample project', 'projects/agent-runtime'], ['the fixture programs', 'programs'], ['a program of many rules', 'rules/require-lock'], ['guards in other files', 'rules/require-cas']])('%s in shares', (_, folder) => {
  let root = '';
  let whole: AuditResult | undefined;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-shares-')));
    cpSync(join(FIXTURES, folder), root, { recursive: true });
    whole = await run(root, {});
  }, 120_000);
  afterAll(() => { rmSync(root, { recursive: true, force: true }); });

  it.each([1, 2, 3, 8])('of %i machines: joined they say what one run says', async (of) => {
    const shares = await sharesOf(root, of);
    const joined = await run(root, { shares });
    expect(said(joined)).toEqual(said(whole));
  }, 240_000);
});

it('Something crosses the shares of the sample, or the rest of these tests proves nothing', async () => {
  const { judge, keys } = crossingParts(await sharesOf(join(FIXTURES, 'projects/agent-runtime'), 2));
  expect(judge.size).toBeGreaterThan(0);
  expect(keys.size).toBeGreaterThan(0);
});

it('A table is known as step state by a guard that only another share holds', async () => {
  const root = tempTree({
    'a.ts': `declare const db: any; export async function fill(id: string) { await db.query("UPDATE deals SET status = 'won' WHERE id = $1", [id]); }`,
    'b.ts': `declare const db: any; export async function take(id: string) { const r = await db.query("UPDATE deals SET status = 'running' WHERE id = $1 AND status = 'pending'", [id]); if (r.rowCount === 0) return; }`,
  });
  expect(said(await run(root, { shares: await sharesOf(root, 2) }))).toEqual(said(await run(root, {})));
});

it('Shares of another tree, or not all of them, are a mistake of the user', async () => {
  const root = tempTree({ 'a.ts': 'declare const redis: any; redis.set("lock:a", 1, "NX");', 'b.ts': 'declare const redis: any; redis.set("lock:b", 1, "NX");' });
  const other = tempTree({ 'a.ts': 'declare const redis: any; redis.set("lock:a", 1, "NX", "PX", 5);', 'b.ts': 'declare const redis: any; redis.set("lock:b", 1, "NX");' });
  const shares = await sharesOf(root, 2);
  await expect(run(root, { shares: shares.slice(1) })).rejects.toThrow(UserMistake);
  await expect(run(other, { shares })).rejects.toThrow(UserMistake);
  await expect(run(root, { shares, include: { generated: true } })).rejects.toThrow(UserMistake);
});

async function sharesOf(root: string, of: number): Promise<AuditState[]> {
  const shares: AuditState[] = [];
  for (let index = 1; index <= of; index++) {
    const state = (await run(root, { share: { index, of } })).state?.();
    const kept = state && unpackedState(packedState(state));
    if (kept !== undefined) shares.push(kept);
  }
  return shares;
}

function run(root: string, more: Partial<AuditOptions>): Promise<AuditResult> {
  return audit({ cwd: root, models: builtInModels, rules, include: { test: true }, earlier: { state: undefined, key: 'test' }, ...more });
}

function said({ analysis, judged, errors, withoutSubjects, withheld, exceptions }: AuditResult | undefined = {} as never): unknown {
  return JSON.parse(JSON.stringify({ analysis, judged, errors, withoutSubjects, withheld, exceptions }));
}
