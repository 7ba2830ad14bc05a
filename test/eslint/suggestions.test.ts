import { readFileSync } from 'node:fs';
import * as typescriptParser from '@typescript-eslint/parser';
import { Linter } from 'eslint';
import { describe, expect, it } from 'vitest';
import plugin from '../../src/eslint/index.js';
import { ruleFixtures } from '../fixtures/fixture-files.js';

/** What ESLint reports, each with the texts that its suggestions would make of the file. */
function lint(text: string): { readonly rule: string; readonly suggested: readonly { readonly title: string; readonly text: string }[] }[] {
  const config: Linter.Config[] = [{ files: ['**/*.ts'], languageOptions: { parser: typescriptParser } }, ...plugin.configs.strict];
  return new Linter().verify(text, config, { filename: 'a.ts' }).map(({ ruleId, message, suggestions = [] }) => {
    if (ruleId === null) throw new Error(message);
    const suggested = suggestions.map(({ desc, fix }) => ({ title: desc, text: text.slice(0, fix.range[0]) + fix.text + text.slice(fix.range[1]) }));
    return { rule: ruleId.replace('step-lock/', ''), suggested };
  });
}

/** The lines that the suggestions of a rule change, as they read afterwards. */
function changes(rule: string, text: string): string[] {
  const before = new Set(text.split('\n'));
  return lint(text).filter((found) => found.rule === rule).flatMap(({ suggested }) => suggested.flatMap((s) => s.text.split('\n').filter((line) => !before.has(line)).map((line) => line.trim())));
}

const LOCK = `
interface StepLock {
  acquire(stepId: string, owner: string, ttlMs: number): Promise<boolean>;
  release(stepId: string, owner: string): Promise<void>;
  extend(stepId: string, owner: string, ttlMs: number): Promise<boolean>;
}
declare function work(): Promise<void>;
declare function randomUUID(): string;
`;

describe('no-ignored-acquire-result', () => {
  const run = (body: string, head = 'async function run(lock: StepLock, id: string, owner: string): Promise<void>'): string => `${LOCK}
export ${head} {
  ${body}
}
`;
  const section = `try {
    await work();
  } finally {
    await lock.release(id, owner).catch(() => undefined);
  }`;
  const acquire = 'await lock.acquire(id, owner, 30_000);';
  const stop = ['const acquired = await lock.acquire(id, owner, 30_000);', 'if (!acquired) return;'];

  it.each([
    ['Promise<void>', run(`${acquire}\n  ${section}`)],
    ['no declared type and no value returned', run(`${acquire}\n  ${section}`, 'async function run(lock: StepLock, id: string, owner: string)')],
    ['names and guards before it', run(`const label = \`run \${id}\`;\n  if (id === '') return;\n  console.log(label);\n  ${acquire}\n  ${section}`)],
  ])('tests and returns: %s', (_, text) => {
    expect(changes('no-ignored-acquire-result', text)).toEqual(stop);
  });

  it('reads the answer of SET NX as well', () => {
    const text = `declare const redis: { set(key: string, value: string, mode: 'PX', ms: number, nx: 'NX'): Promise<'OK' | null> };
declare function work(): Promise<void>;
export async function nightly(owner: string) {
  await redis.set('lock:nightly', owner, 'PX', 60000, 'NX')
  await work()
}
`;
    expect(changes('no-ignored-acquire-result', text)).toEqual(['const acquired = await redis.set(\'lock:nightly\', owner, \'PX\', 60000, \'NX\')', 'if (!acquired) return']);
  });

  it.each([
    ['the caller waits for a value', run(`${acquire}\n  ${section}\n  return id;`, 'async function run(lock: StepLock, id: string, owner: string): Promise<string>')],
    ['a value is returned by an undeclared type', run(`${acquire}\n  ${section}\n  return id;`, 'async function run(lock: StepLock, id: string, owner: string)')],
    ['the name is taken', run(`const acquired = 1;\n  ${acquire}\n  ${section}\n  console.log(acquired);`)],
    ['it stands in a branch', run(`if (id !== '') {\n    ${acquire}\n  }\n  ${section}`)],
    ['it stands in a loop', run(`for (const one of [id]) {\n    ${acquire}\n    await work();\n    await lock.release(one, owner).catch(() => undefined);\n  }`)],
    ['a connection was opened before it', run(`const client = await connect();\n  ${acquire}\n  ${section}\n  client.end();`).replace('declare function work', 'declare function connect(): Promise<{ end(): void }>;\ndeclare function work')],
    ['a later finally closes what came before it', run(`const timer = start();\n  ${acquire}\n  try {\n    await work();\n  } finally {\n    timer.stop();\n    await lock.release(id, owner).catch(() => undefined);\n  }`).replace('declare function work', 'declare function start(): { stop(): void };\ndeclare function work')],
    ['another lock is held', run(`if (!(await lock.acquire('all', owner, 10))) return;\n  ${acquire}\n  ${section}\n  await lock.release('all', owner);`)],
  ])('stays silent: %s', (_, text) => {
    expect(lint(text).map(({ rule }) => rule)).toContain('no-ignored-acquire-result');
    expect(changes('no-ignored-acquire-result', text)).toEqual([]);
  });
});

describe('require-ttl', () => {
  const runWith = (call: string): string => `declare const redis: any;
declare function work(): Promise<void>;
const COMPARE_AND_DELETE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
export async function nightly(owner: string, options: object): Promise<void> {
  const won = await ${call};
  if (won !== 'OK') return;
  try {
    await work();
  } finally {
    await redis.eval(COMPARE_AND_DELETE, 1, 'lock:nightly', owner).catch(() => undefined);
  }
}
`;
  it.each([
    ['ioredis', 'redis.set(\'lock:nightly\', owner, \'NX\')', 'redis.set(\'lock:nightly\', owner, \'PX\', 30000, \'NX\')'],
    ['ioredis in lower case', 'redis.set("lock:nightly", owner, "nx")', 'redis.set("lock:nightly", owner, "px", 30000, "nx")'],
    ['node-redis 4', 'redis.set(\'lock:nightly\', owner, { NX: true })', 'redis.set(\'lock:nightly\', owner, { NX: true, PX: 30000 })'],
    ['node-redis 5', 'redis.set(\'lock:nightly\', owner, { condition: \'NX\' })', 'redis.set(\'lock:nightly\', owner, { condition: \'NX\', expiration: { type: \'PX\', value: 30000 } })'],
    ['Upstash', 'redis.set(\'lock:nightly\', owner, { nx: true, })', 'redis.set(\'lock:nightly\', owner, { nx: true, px: 30000, })'],
  ])('adds an expiry in the spelling of %s', (_, call, mended) => {
    expect(changes('require-ttl', runWith(call))).toEqual([`const won = await ${mended};`]);
  });

  it('says that the time has to fit the work', () => {
    expect(lint(runWith('redis.set(\'lock:nightly\', owner, \'NX\')')).flatMap(({ suggested }) => suggested.map(({ title }) => title)))
      .toEqual(['Set an expiry of 30 seconds with `\'PX\', 30000`; the time has to be longer than the work takes.']);
  });

  it.each([['SETNX, which cannot carry one', 'redis.setnx(\'lock:nightly\', owner)'], ['options from elsewhere', 'redis.set(\'lock:nightly\', owner, { NX: true, ...options })']])('stays silent: %s', (_, call) => {
    expect(changes('require-ttl', runWith(call))).toEqual([]);
  });
});

describe('require-release-owner', () => {
  const run = (release: string, owner = 'const owner = randomUUID();', named = 'owner'): string => `${LOCK}
export class Worker {
  constructor(private readonly lock: StepLock, private readonly instance: string) {}
  async run(stepId: string, other: string): Promise<void> {
    ${owner}
    if (!(await this.lock.acquire(stepId, ${named}, 30_000))) return;
    try {
      await work();
    } finally {
      await ${release};
    }
  }
}
`;
  it.each([
    ['another owner', 'this.lock.release(stepId, this.instance)'],
    ['a constant', 'this.lock.release(stepId, \'worker\')'],
    ['nothing', 'this.lock.release(stepId, undefined)'],
    ['no argument at all', 'this.lock.release(stepId)'],
  ])('names the owner of the acquire in place of %s', (_, release) => {
    expect(changes('require-release-owner', run(release))).toEqual(['await this.lock.release(stepId, owner);']);
  });

  it.each([
    ['the acquire names no plain name', run('this.lock.release(stepId, this.instance)', '', 'randomUUID()')],
    ['the name is assigned again', run('this.lock.release(stepId, this.instance)', 'let owner = randomUUID();\n    owner = other;')],
    ['the owner is a constant', run('this.lock.release(stepId, \'b\')', 'const owner = \'a\';')],
  ])('stays silent: %s', (_, text) => {
    expect(changes('require-release-owner', text)).toEqual([]);
  });

  it('fills a property', () => {
    const text = `
interface Locks {
  acquire(options: { key: string; owner: string; ttlMs: number }): Promise<boolean>;
  release(options: { key: string; owner?: string }): Promise<void>;
}
declare function work(): Promise<void>;
export async function run(locks: Locks, key: string, token: string): Promise<void> {
  if (!(await locks.acquire({ key, owner: token, ttlMs: 30_000 }))) return;
  try {
    await work();
  } finally {
    await locks.release({ key });
  }
}
`;
    expect(changes('require-release-owner', text)).toEqual(['await locks.release({ key, owner: token });']);
  });
});

describe('every suggestion', () => {
  const fixtures = ruleFixtures().map(({ title, path }) => ({ title, text: readFileSync(path, 'utf8') }));
  const texts = [...fixtures, ...pageExamples()].filter(({ text }) => lint(text).some(({ suggested }) => suggested.length > 0));

  it('is met in fixtures and pages', () => {
    expect(texts.length).toBeGreaterThan(6);
  });

  it.each(texts)('mends its finding in $title and brings no other', ({ text }) => {
    const before = lint(text);
    for (const [at, { suggested }] of before.entries()) {
      const rest = before.filter((_, other) => other !== at).map(({ rule }) => rule).sort();
      for (const { text: mended } of suggested) expect(lint(mended).map(({ rule }) => rule).sort()).toEqual(rest);
    }
  });
});

/** The wrong examples of the rule pages. */
function pageExamples(): { readonly title: string; readonly text: string }[] {
  return Object.keys(plugin.rules).flatMap((id) => {
    const page = readFileSync(new URL(`../../docs/rules/${id}.md`, import.meta.url), 'utf8');
    return [...page.matchAll(/^```ts wrong\n([\s\S]*?)^```/gm)].map(([, text = ''], at) => ({ title: `page of ${id}, example ${at + 1}`, text }));
  });
}
