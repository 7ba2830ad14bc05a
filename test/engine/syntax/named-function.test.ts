import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { Project } from '../../../src/engine/project.js';
import { typeOf } from '../../../src/engine/syntax/declared-type.js';
import { isOwnName } from '../../../src/engine/syntax/named-function.js';
import { createUnits } from '../../../src/engine/syntax/unit.js';

const OTHER = `
  import { Mutex } from 'async-mutex';
  import mutexify from 'mutexify';
  export function plain() { return 1 }
  export const arrow = () => 1;
  export class Thing {}
  export const lock = mutexify();
  export const typed: Mutex = make();
  export { lock as handed } from 'proper-lockfile';
`;

/** Whether the name that the text ends with is one of the project's own, and what its type says. */
function asked(text: string): { readonly isOwn: boolean; readonly from: string | undefined } {
  const files = new Map([['/a.ts', text], ['/other.ts', OTHER]].map(([path = '', content = '']) => [path, ts.createSourceFile(path, content, ts.ScriptTarget.Latest, true)]));
  const project: Project = { file: (path) => files.get(path), resolve: (_, specifier) => (specifier === './other' ? '/other.ts' : undefined), filesMentioning: () => 'cannot-say', runLimit: () => undefined };
  const unit = createUnits(ts, project).at('/a.ts');
  const last = unit?.file.statements.at(-1);
  if (unit === undefined || last === undefined || !ts.isExpressionStatement(last) || !ts.isIdentifier(last.expression)) throw new Error('the text has to end with a name');
  const type = typeOf(unit, last.expression);
  return { isOwn: isOwnName(unit, last.expression), from: type.kind === 'named' ? type.from : undefined };
}

describe('a name of the project itself', () => {
  for (const [what, text] of [
    ['a function', 'function f() {} f'], ['a class', 'class A {} A'], ['an arrow function', 'const f = () => 1; f'], ['nobody\'s name', 'fetch'],
    ['an imported function', 'import { plain } from "./other"; plain'], ['an imported arrow function', 'import { arrow } from "./other"; arrow'], ['an imported class', 'import { Thing } from "./other"; Thing'],
  ] as const) {
    it(`is ${what}, and its type leads to no package`, () => { expect(asked(text)).toEqual({ isOwn: true, from: undefined }); });
  }
  for (const [what, text, from] of [
    ['a name of a package', 'import { lock } from "proper-lockfile"; lock', 'proper-lockfile'], ['a value that another file makes', 'import { lock } from "./other"; lock', 'mutexify'],
    ['a value of a declared type', 'import { typed } from "./other"; typed', 'async-mutex'], ['a name that is handed on', 'import { handed } from "./other"; handed', 'proper-lockfile'],
    ['a value that is made here', 'import mutexify from "mutexify"; const lock = mutexify(); lock', 'mutexify'],
  ] as const) {
    it(`is not ${what}`, () => { expect(asked(text)).toEqual({ isOwn: false, from }); });
  }
});
