import ts from 'typescript';
import type { Project } from '../../../src/engine/project.js';
import { createUnits, type Unit } from '../../../src/engine/syntax/unit.js';

/** Units of hand-made files: `./a` leads to `a.ts`. The first file is the one under test. */
export function unitOf(files: Readonly<Record<string, string>>): Unit {
  const parsed = new Map(Object.entries(files).map(([path, text]) => [path, ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)]));
  const project: Project = {
    file: (path) => parsed.get(path),
    resolve: (_, specifier) => (parsed.has(`${specifier.replace('./', '')}.ts`) ? `${specifier.replace('./', '')}.ts` : undefined),
    runLimit: () => undefined,
    filesMentioning: (name) => [...parsed.keys()].filter((path) => new RegExp(`\\b${name}\\b`).test(files[path] ?? '')),
  };
  const [first] = parsed.values();
  if (first === undefined) throw new Error('no file given');
  return createUnits(ts, project).of(first);
}

/** The first node of the file that a text stands for: the innermost call where there is one, else any node. */
export function nodeAt(unit: Unit, text: string): ts.Node {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (found === undefined && node.getText(unit.file) === text) found = node;
    if (found === undefined || node.getText(unit.file).includes(text)) ts.forEachChild(node, visit);
    if (node.getText(unit.file) === text && ts.isCallExpression(node)) found = node;
  };
  visit(unit.file);
  if (found === undefined) throw new Error(`no node reads ${text}`);
  return found;
}

/** A Redis client, a lock by SET NX and an atomic release. */
export const REDIS = `
import { randomUUID } from 'node:crypto';
declare const redis: { set(...a: unknown[]): Promise<'OK' | null>; del(k: string): Promise<number>; eval(s: string, n: number, ...a: unknown[]): Promise<unknown>; pexpire(k: string, ms: number): Promise<number> };
const FREE = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0';
const RENEW = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0';
`;
