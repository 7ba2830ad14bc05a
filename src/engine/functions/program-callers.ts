import type ts from 'typescript';
import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { callersOf } from './callers.js';
import { mentionOf } from './mention.js';
import { identifiersNamed, membersNamed, type NameNode } from './name-index.js';
import { Kept } from '../kept.js';

/** A call, and the file it stands in. */
export interface ProgramCall {
  readonly unit: Unit;
  readonly call: ts.CallExpression;
}

/** Who runs a function, in all files that can be reached. */
export interface ProgramCallers {
  /** In the order of files and text. A call through an interface counts for every class that implements it. */
  readonly calls: readonly ProgramCall[];
  /** Places where the function is handed on as a value: who calls it then is not in sight, but what it is handed to may tell. */
  readonly values: readonly { readonly unit: Unit; readonly node: NameNode }[];
  /** Why there may be more callers: the set of files is not known, it is handed on, a call of the name leads nobody knows where, or the name is in too many files. */
  readonly unseen?: 'cannot-say' | 'handed-on' | 'unresolved' | 'too-many';
}

/** A name in more files than this says nothing. */
const MOST_FILES = 60;
/** Tests call a function to see what it does. */
const IN_TESTS = /\.(?:test|spec|e2e|bench)\.\w+$|(?:^|\/)(?:__tests__|__mocks__|tests?|e2e|fixtures)\//;

/** The callers of a function in the program: found by its name first, then resolved. Asked once a function. */
export function programCallers(unit: Unit, fn: ts.FunctionLikeDeclaration): ProgramCallers {
  const held = known.get(fn);
  if (held !== undefined) return held;
  const found = find(unit, fn);
  known.set(fn, found);
  return found;
}

const known = new Kept<ts.Node, ProgramCallers>();

function find(unit: Unit, fn: ts.FunctionLikeDeclaration): ProgramCallers {
  const own = callersOf(unit, fn);
  const here = own.calls.map((call) => ({ unit, call }));
  const whole = functionName(unit, fn);
  const name = whole.slice(whole.lastIndexOf('.') + 1);
  const values = [...valuesInFile(unit, fn)];
  if (!own.exported) return { calls: here, values, ...(own.passedOn && { unseen: 'handed-on' }) };
  const paths = /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'constructor' ? unit.mentionedIn(name, MOST_FILES, (path) => path !== unit.path && !IN_TESTS.test(path.slice(commonStart(path, unit.path)))) : undefined;
  if (paths === undefined) return { calls: here, values, unseen: own.passedOn ? 'handed-on' : 'cannot-say' };
  if (paths === 'too-many') return { calls: here, values, unseen: 'too-many' };
  const others = paths.flatMap((path) => unit.unitAt(path) ?? []);
  const calls = [...here];
  let unseen: ProgramCallers['unseen'] = own.passedOn ? 'handed-on' : undefined;
  const isMember = isClassMember(unit, fn);
  for (const other of others) {
    for (const id of isMember ? membersNamed(other, name) : identifiersNamed(other, name)) {
      const use = mentionOf(other, id, unit, fn);
      if (use === 'none') continue;
      if (use === 'value') {
        values.push({ unit: other, node: id });
        unseen ??= 'handed-on';
      } else if (use === 'unresolved') unseen ??= 'unresolved';
      else calls.push({ unit: other, call: use });
    }
  }
  calls.sort((a, b) => (a.unit.path < b.unit.path ? -1 : a.unit.path > b.unit.path ? 1 : a.call.pos - b.call.pos));
  return { calls, values, ...(unseen && { unseen }) };
}

/** Where a function is handed on as a value in its own file. */
export function valuesInFile(unit: Unit, fn: ts.FunctionLikeDeclaration): ProgramCallers['values'] {
  const whole = functionName(unit, fn);
  const name = whole.slice(whole.lastIndexOf('.') + 1);
  return identifiersNamed(unit, name).filter((id) => mentionOf(unit, id, unit, fn) === 'value').map((node) => ({ unit, node }));
}

/** Other files reach it by way of an object only. */
function isClassMember({ ts }: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  return ts.isClassLike(ts.isPropertyDeclaration(fn.parent) ? fn.parent.parent : fn.parent);
}

/** How much of two paths is the same: a project may itself stand in a folder of tests. */
function commonStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return a.lastIndexOf('/', at) + 1;
}
