import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { analyse } from '../../src/engine/engine.js';
import { reported } from '../../src/engine/judge/reported.js';
import { builtInModels } from '../../src/models/index.js';
import { FAULTS, MISUSED, USED_WELL } from './house-wrapper.js';

function judged(...files: [name: string, code: string][]): { findings: string[]; errors: string[] } {
  const parsed = files.map(([name, code]) => ts.createSourceFile(`/p/${name}.ts`, code, ts.ScriptTarget.Latest, true));
  const project = {
    file: (path: string) => parsed.find((f) => f.fileName === path),
    resolve: (_from: string, specifier: string) => parsed.find((f) => f.fileName === `/p/${specifier.slice(2)}.ts`)?.fileName,
    runLimit: () => undefined,
    filesMentioning: (name: string) => parsed.filter((f) => new RegExp(`\\b${name}\\b`).test(f.text)).map((f) => f.fileName),
  };
  const { sites, errors } = analyse(parsed, { ts, models: builtInModels, rules, project });
  return {
    findings: reported(sites, rules, 'recommended').map(({ rule, outcome }) => `${rule.id}:${outcome.at.line}`).sort(),
    errors: errors.map((e) => `${e.file}:${e.line} ${e.message}`),
  };
}

/** The house wrapper as a declaration of the project, beside nothing that could be read. */
const TURNS = `export interface Turns {
  /** @acquiresLock key=stepId owner=worker ttl=wait.for unit=ms result=boolean - takes the step's turn */
  enter(stepId: string, worker: string, wait: { for: number }): Promise<boolean>;
  /**
   * Gives the turn back.
   * @releasesLock owner=worker ifNotHeld=harmless
   */
  leave(stepId: string, worker?: string): Promise<void>;
}
`;
const here = (code: string): string => code.replace('@acme/turns', './turns');

describe('lock tags', () => {
  it('make the misuse of an interface found, in the file and across files', () => {
    expect(judged(['turns', TURNS.replace(/@\w+Lock.*/g, '')], ['use', here(MISUSED)])).toEqual({ findings: [], errors: [] });
    expect(judged(['turns', TURNS], ['use', here(MISUSED)])).toEqual({ findings: [...FAULTS].sort(), errors: [] });
    expect(judged(['turns', TURNS], ['use', here(USED_WELL)])).toEqual({ findings: [], errors: [] });
  });

  it('stand on declared functions, on functions with a body, on methods and on function types', () => {
    const use = 'const W_SECONDS = 3;\nexport async function f(stepId: string, me: string) {\n if (!(await enter(stepId, me, W_SECONDS))) return;\n await next(stepId);\n}\ndeclare const next: any;\n';
    const each = [
      '/** @acquiresLock */ declare function enter(stepId: string, owner: string, ttlMs: number): Promise<boolean>;',
      '/** @acquiresLock */ export async function enter(stepId: string, owner: string, ttlMs: number): Promise<boolean> { return post(stepId, owner, ttlMs); } declare const post: any;',
      '/** @acquiresLock */ const enter = async (stepId: string, owner: string, ttlMs: number): Promise<boolean> => post(stepId, owner, ttlMs); declare const post: any;',
      '/** @acquiresLock */ type Enter = (stepId: string, owner: string, ttlMs: number) => Promise<boolean>; declare const enter: Enter;',
    ];
    for (const declaration of each) expect(judged(['one', `${declaration}\n${use}`])).toEqual({ findings: ['require-ttl:4'], errors: [] });
  });

  it('hold for the classes that implement the interface', () => {
    const impl = "import type { Turns } from './turns';\nexport class RedisTurns implements Turns {\n  async enter(stepId: string, worker: string, wait: { for: number }) { return post(stepId, worker, wait); }\n  async leave(stepId: string, worker?: string) { await post(stepId, worker); }\n}\ndeclare const post: any;\n";
    const use = MISUSED.replace("{ Turns } from '@acme/turns'", "{ RedisTurns } from './impl'").replace('turns: Turns', 'turns: RedisTurns');
    expect(judged(['turns', TURNS], ['impl', impl], ['use', use])).toEqual({ findings: [...FAULTS].sort(), errors: [] });
  });

  it('give back by a handle and by a method of it', () => {
    const api = `interface Turn { /** @releasesLock */ leave(): Promise<void> }
/** @acquiresLock */
declare function enter(stepId: string, ttlMs: number): Promise<Turn | null>;
`;
    const use = (body: string): string => `${api}export async function f(id: string, work: () => Promise<void>) {\n  const turn = await enter(id, 5000);\n  if (turn === null) return;\n${body}}\n`;
    expect(judged(['h', use('  try { await work(); } finally { await turn.leave().catch(() => undefined); }\n')])).toEqual({ findings: [], errors: [] });
    expect(judged(['h', use('  await work();\n  await turn.leave();\n')])).toEqual({ findings: ['require-release:7'], errors: [] });
  });

  it('are heard at the beginning of a line only', () => {
    expect(judged(['prose', '/** A call of what says `@requiresLock`, or not; @singleWriter is another. */\nexport interface Lock { id: string }\n'])).toEqual({ findings: [], errors: [] });
  });

  it.each([
    ['/** @acquiresLock key=stpId */ declare function enter(stepId: string): Promise<boolean>;', '`key=stpId` in `@acquiresLock` of `enter` names no parameter: its parameters are `stepId`.'],
    ['/** @acquiresLock lease=stepId */ declare function enter(stepId: string): Promise<boolean>;', '`@acquiresLock` of `enter` knows no `lease`. It knows `key`, `owner`, `ttl`, `unit`, `result`, `body`, `renews`.'],
    ['/** @acquiresLock unit=min */ declare function enter(stepId: string): Promise<boolean>;', '`unit` in `@acquiresLock` of `enter` must be one of `ms`, `s`, not `min`.'],
    ['/** @acquiresLock takes the lock */ declare function enter(stepId: string): Promise<boolean>;', '`@acquiresLock` of `enter` cannot read `takes`. Write pairs like `key=parameter`, and words for people after ` - `.'],
    ['/** @aquiresLock */ declare function enter(stepId: string): Promise<boolean>;', 'There is no tag `@aquiresLock`. Write `@acquiresLock`.'],
    ['/** @releasesLock */ export class A {}', '`@releasesLock` stands before something that is no function. Put it right before the function, method or function type it speaks of.'],
    ['/** @singleWriter */ export function f() {}', '`@singleWriter` of `f` gives no reason. Say behind it why, for those who read the code.'],
    ['/** @failsOpen */ export function f() {}', '`@failsOpen` of `f` gives no reason. Say behind it why, for those who read the code.'],
    ['/** @maxDuration soon */ export function f() {}', '`@maxDuration` of `f` cannot read `soon` as a time. Write a number and a unit, like `30s`, `500ms` or `2 min`.'],
    ['/** @requiresLock stpId */ export function f(stepId: string) {}', '`@requiresLock` of `f` names `stpId`, which is no parameter: its parameters are `stepId`.'],
    ['/** @stepTransition to=done */ declare function f(stepId: string, to: string): Promise<boolean>;', '`to=done` in `@stepTransition` of `f` names no parameter: its parameters are `stepId`, `to`.'],
  ])('tell a mistake with place and mend: %s', (code, message) => {
    expect(judged(['one', `// lock\n${code}`]).errors).toEqual([`/p/one.ts:2 ${message}`]);
  });
});
