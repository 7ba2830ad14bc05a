import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { audit, type AuditResult } from '../../src/audit/audit.js';
import { packedState, unpackedState, type AuditState } from '../../src/audit/audit-state.js';
import { builtInModels } from '../../src/models/index.js';
import { seeded, type Choose } from '../robustness/seeded.js';
import { MECHANICAL_EDITS } from './mechanical-edits.js';

/** What only what can differ is judged anew for must be what judging all would say, to the last place and word. */
const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const ROUNDS = Number(process.env['STEP_LOCK_RUNS'] ?? 12);

describe.each([['the sample project', 'projects/agent-runtime'], ['the fixture programs', 'programs'], ['a program of many rules', 'rules/require-lock']])('%s', (_, folder) => {
  let root = '';
  let state: AuditState | undefined;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'step-lock-incremental-')));
    cpSync(join(FIXTURES, folder), root, { recursive: true });
    state = (await run(root, undefined)).state?.();
  }, 120_000);
  afterAll(() => { rmSync(root, { recursive: true, force: true }); });

  it('gives all of it back when nothing changed', async () => {
    const again = await run(root, kept(state));
    expect(again.judgedAnew).toBe(0);
    expect(said(again)).toEqual(said(await run(root, undefined)));
  }, 120_000);

  it(`gives what judging all gives after ${String(ROUNDS)} seeded edits, one upon the other`, async () => {
    const choose = seeded(Number(process.env['STEP_LOCK_SEED'] ?? 20_261_130));
    let saved = 0;
    let rounds = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const what = edit(root, choose);
      const [part, whole] = [await run(root, kept(state)), await run(root, undefined)];
      expect(said(part), what).toEqual(said(whole));
      rounds += 1;
      if (part.judgedAnew < whole.judgedAnew) saved += 1;
      state = part.state?.();
    }
    // A restriction that always judges all would pass the rest.
    expect(saved).toBeGreaterThan(rounds / 3);
  }, 300_000 + ROUNDS * 20_000);
});

function run(root: string, state: AuditState | undefined): Promise<AuditResult> {
  return audit({ cwd: root, models: builtInModels, rules, include: { test: true }, earlier: { state, key: 'test' } });
}

/** As it comes back from a file. */
function kept(state: AuditState | undefined): AuditState | undefined {
  return state === undefined ? undefined : unpackedState(packedState(state));
}

function said({ analysis, judged, errors, withoutSubjects }: AuditResult): unknown {
  return JSON.parse(JSON.stringify({ analysis, judged, errors, withoutSubjects }));
}

function sources(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name)).sort();
}

const MECHANICAL = Object.entries(MECHANICAL_EDITS).filter(([kind]) => kind !== 'a renamed file');

/** Real edits: what reviews are full of. */
const REAL: readonly (readonly [string, (text: string, choose: Choose) => string])[] = [
  ['a guard dropped', (text) => text.replace(/ AND status = '\w+'/, '')],
  ['a lease shortened', (text) => text.replace(/(TTL\w* = )[\d_]+/, '$15_000')],
  ['an acquire dropped', (text) => text.replace(/await this\.lock\.acquire\([^)]*\)/, 'true')],
  ['a release dropped', (text) => text.replace(/await (?:this\.)?\w+\.release\([^;]*\);/, '')],
  ['a function renamed', (text) => text.replace(/async (\w+)\(stepId/, 'async $1Anew(stepId')],
  ['a function renamed to one that others call', (text) => text.replace(/async (\w+)\(/, 'async transition(')],
  ['an import dropped', (text) => text.replace(/import [^;]*;\n/, '')],
  ['an export dropped', (text) => text.replace(/export (async function|function|class|const)/, '$1')],
  ['a writer added', (text, choose) => `${text}\nexport async function fixup${String(choose(9))}(pool: { query(sql: string, values: unknown[]): Promise<void> }, stepId: string) {\n  await pool.query("UPDATE steps SET status = 'failed' WHERE id = $1", [stepId]);\n}\n`],
  ['a caller added', (text, choose) => `${text}\nexport async function again${String(choose(9))}(guard: { transition(a: string, b: string, c: string, d: string): Promise<unknown> }) {\n  await guard.transition('a', 'running', 'queued', 'b');\n}\n`],
  ['half a file', (text) => text.slice(0, text.length / 2)],
  ['a body changed', (text, choose) => atSome(text, /\)(?:: [^\n{}]+)? (?:=> )?\{\n/g, choose, (found) => `${found}    const addedHere = Date.now();\n    void addedHere;\n`)],
  ['a result widened', (text, choose) => atSome(text, /: Promise<(?:boolean|void|number)>/g, choose, () => ': Promise<unknown>')],
  ['a parameter added', (text, choose) => atSome(text, /(?<=async \w+)\(/g, choose, () => '(first: string, ')],
  ['a constant changed', (text, choose) => atSome(text, /\b\d[\d_]*\b/g, choose, (found) => `${found}0`)],
  ['a word of a text changed', (text, choose) => atSome(text, /'(?:running|queued|failed|completed|cancelled|pending)'/g, choose, () => '\'succeeded\'')],
  ['a type dropped', (text, choose) => atSome(text, /: [A-Z]\w+(?=[,)])/g, choose, () => '')],
  ['an await dropped', (text, choose) => atSome(text, /await /g, choose, () => '')],
  ['a declaration moved to the end', (text, choose) => {
    const parts = text.split(/\n(?=export |function |class |const |async )/);
    const [moved] = parts.splice(choose(parts.length), 1);
    return [...parts, moved].join('\n');
  }],
  ['a declaration dropped', (text, choose) => {
    const parts = text.split(/\n(?=export |function |class |const |async )/);
    parts.splice(choose(parts.length), 1);
    return parts.join('\n');
  }],
  ['a member dropped', (text, choose) => atSome(text, /\n {2}(?:async |private |public |readonly )*\w+\([^\n]*\{\n[^]*?\n {2}\}\n/g, choose, () => '\n')],
  ['an import of another name', (text, choose) => atSome(text, /(?<=import \{[^}]*)\b\w+(?=[^}]*\} from '\.)/g, choose, (found) => `${found} as renamedHere`)],
  ['an export of all of another file', (text) => `export * from './index.js';\n${text}`],
];

function atSome(text: string, pattern: RegExp, choose: Choose, put: (found: string) => string): string {
  const found = [...text.matchAll(pattern)];
  const one = found.length === 0 ? undefined : found[choose(found.length)];
  return one === undefined ? text : text.slice(0, one.index) + put(one[0]) + text.slice(one.index + one[0].length);
}

function edit(root: string, choose: Choose): string {
  const names = sources(root);
  const name = names[choose(names.length)] ?? '';
  const path = join(root, name);
  const text = readFileSync(path, 'utf8');
  const kind = choose(12);
  if (kind === 0) {
    rmSync(path);
    return `removed ${name}`;
  }
  if (kind === 1) {
    const copy = join(root, name.replace(/\.(tsx?)$/, `-copy${String(choose(9))}.$1`));
    if (!existsSync(copy)) writeFileSync(copy, text);
    return `copied ${name}`;
  }
  if (kind === 2) {
    const target = join(root, name.replace(/\.(tsx?)$/, '-moved.$1'));
    writeFileSync(target, text);
    rmSync(path);
    return `moved ${name}`;
  }
  if (kind < 5) {
    const [what, change] = MECHANICAL[choose(MECHANICAL.length)] ?? [];
    writeFileSync(path, change?.({ path, text }, choose).text ?? text);
    return `${String(what)} in ${name}`;
  }
  const fitting = REAL.filter(([, change]) => change(text, () => 0) !== text);
  const [what, change] = fitting[choose(fitting.length)] ?? [];
  writeFileSync(path, change?.(text, choose) ?? text);
  return `${String(what)} in ${name}`;
}
