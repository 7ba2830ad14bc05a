import type tsTypes from 'typescript';
import type { Violated } from '../../src/engine/judge/outcome.js';
import type { RuleDefinition } from '../../src/engine/judge/rule.js';
import type { Site } from '../../src/engine/judge/site.js';
import type { Place } from '../../src/engine/place.js';
import { NO_PROJECT, type Project } from '../../src/engine/project.js';
import type { Ts } from '../../src/engine/syntax/typescript.js';
import { createPlugin, type StepLockPlugin } from '../../src/eslint/create-plugin.js';
import type { Engine } from '../../src/eslint/file-analysis.js';
import type { Keeping } from '../../src/eslint/kept-findings.js';
import { createJudging } from '../../src/eslint/judging.js';

/** A rule that finds a fault in each call of `faultyLock`; the engine below does the finding. */
export function fakeRule(id: string, over: Partial<RuleDefinition> = {}): RuleDefinition {
  return {
    id,
    skill: 'R3',
    dimension: 'D2',
    subjects: ['A'],
    family: 'lock-use',
    profile: 'recommended',
    summary: 'a fake rule',
    messages: { faulty: '`{{callee}}` of {{id}} is faulty.' },
    validation: ['V1'],
    judge: () => ({ status: 'not-applicable' }),
    ...over,
  };
}

/** What an analysis was asked with. */
export interface Asked {
  readonly ts: Ts;
  readonly files: readonly tsTypes.SourceFile[];
  readonly project: Project;
}

export interface FakeEngine extends Engine {
  readonly asked: Asked[];
}

/**
 * Every call of `faultyLock(...)` violates every rule; a call with the argument `'possible'` does so with that certainty.
 * @param put What the suggestion puts in place of `faultyLock`.
 */
export function fakeEngine(rules: readonly RuleDefinition[], put = 'lock'): FakeEngine {
  const asked: Asked[] = [];
  return {
    asked,
    rules,
    models: { words: ['lock'] },
    analyseParts(given, { ts, project = NO_PROJECT }) {
      const files = given.filter((file) => typeof file !== 'string');
      asked.push({ ts, files, project });
      const parts = files.map((file) => ({ path: file.fileName, sites: callsOf(ts, file).map((call) => siteOf(ts, file, call, rules, put)), alike: [], wrappers: [], errors: [], reads: [], gives: [], landsIn: [] }));
      return { files: parts, rows: [], guards: [] };
    },
  };
}

/** The plugin with that engine; without `keeping` it keeps nothing. */
export function pluginWith(engine: Engine, keeping?: Keeping): StepLockPlugin {
  const judging = createJudging(engine);
  return createPlugin({ rules: engine.rules, judging: () => judging, keeping });
}

function callsOf(ts: Ts, file: tsTypes.SourceFile): tsTypes.CallExpression[] {
  const calls: tsTypes.CallExpression[] = [];
  const visit = (node: tsTypes.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'faultyLock') calls.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}

function siteOf(ts: Ts, file: tsTypes.SourceFile, call: tsTypes.CallExpression, rules: readonly RuleDefinition[], put: string): Site {
  const place = placeOf(file, call);
  const [argument] = call.arguments;
  const certainty = argument !== undefined && ts.isStringLiteral(argument) && argument.text === 'possible' ? 'possible' : 'certain';
  const outcomes = Object.fromEntries(
    rules.map((rule): [string, Violated] => [
      rule.id,
      {
        status: 'violated',
        certainty,
        at: argument !== undefined && ts.isStringLiteral(argument) && argument.text === 'elsewhere' ? { ...place, file: '/elsewhere.ts' } : place,
        messageId: 'faulty',
        data: { callee: 'faultyLock', id: rule.id },
        witness: [{ place, role: 'acquire', note: 'here' }],
        action: 'Call `lock`.',
        suggestions: [{ title: 'Call `lock` instead.', edits: [{ start: call.expression.getStart(), end: call.expression.getEnd(), text: put }] }],
      },
    ]),
  );
  const facts = { subject: 'A', api: 'fake', key: 'k', owner: 'o', ttl: '1 s', result: 'boolean', scope: 'manual', claim: false } as const;
  return { id: `${place.file}:${place.line}:${place.column}`, subject: 'A', place, statement: place, name: '<module>', facts, outcomes };
}

function placeOf(file: tsTypes.SourceFile, node: tsTypes.Node): Place {
  const start = file.getLineAndCharacterOfPosition(node.getStart(file));
  const end = file.getLineAndCharacterOfPosition(node.getEnd());
  return { file: file.fileName, line: start.line + 1, column: start.character + 1, endLine: end.line + 1, endColumn: end.character + 1 };
}
