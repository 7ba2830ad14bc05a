import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, functionName, propertyOf } from '../syntax/expression.js';
import { showTerm } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { leavingTest } from './leaving-test.js';
import type { SplitAcquire } from './split-acquire.js';

/** A lock file that is looked for and then written, without the flag that refuses one that is there. */
export function splitFiles(unit: Unit): SplitAcquire[] {
  const { ts } = unit;
  if (!unit.says(/writeFile|outputFile|Bun\.write/) || !unit.says(LOCK)) return [];
  const found: SplitAcquire[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && /^(?:writeFile|writeFileSync|outputFile|outputFileSync)$/.test(calledName(unit, n))) found.push(...splitAt(n));
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  return found;

  function splitAt(write: ts.CallExpression): SplitAcquire[] {
    const fn = enclosingFunction(unit, write);
    const [path] = write.arguments;
    if (ts.isSourceFile(fn) || path === undefined || isExclusive(write)) return [];
    const key = termOf(unit, path);
    if (!LOCK.test(`${path.getText(unit.file)} ${showTerm(key)} ${functionName(unit, fn)}`) || /lockfile|package-lock|yarn|pnpm/i.test(showTerm(key))) return [];
    const read = lookup(fn, write, path);
    const test = read && leavingTest(unit, read, write, (n) => n === read);
    if (read === undefined || test === undefined) return [];
    return [{
      fn, what: showTerm(key), read: unit.placeOf(read), at: unit.placeOf(write), reads: calledName(unit, read), writes: calledName(unit, write), kind: 'lock', certain: false,
      advice: 'Write it with the flag `wx`, which fails if it exists.',
      witness: [
        { place: unit.placeOf(read), role: 'read', note: 'two processes look, and neither finds the file' },
        { place: unit.placeOf(write), role: 'acquire', note: 'both write it' },
      ],
    }];
  }

  function isExclusive(write: ts.CallExpression): boolean {
    const options = write.arguments[2] && bare(unit, write.arguments[2]);
    const flag = options !== undefined && ts.isObjectLiteralExpression(options) ? propertyOf(unit, options, 'flag') : undefined;
    return options !== undefined && (!ts.isObjectLiteralExpression(options) ? !ts.isStringLiteralLike(options) : flag !== undefined && /x/.test(flag.getText(unit.file)));
  }

  function lookup(fn: ts.Node, write: ts.CallExpression, path: ts.Expression): ts.CallExpression | undefined {
    const key = termOf(unit, path);
    let result: ts.CallExpression | undefined;
    const look = (n: ts.Node): void => {
      if (n.pos >= write.pos) return;
      const first = ts.isCallExpression(n) ? n.arguments[0] : undefined;
      if (ts.isCallExpression(n) && first !== undefined && /^(?:existsSync|exists|pathExists|pathExistsSync|fileExists)$/.test(calledName(unit, n)) && sameTerm(termOf(unit, first), key)) result = n;
      ts.forEachChild(n, look);
    };
    look(fn);
    return result;
  }
}

const LOCK = /(?<![bcBC])lock|LOCK|\bpid\b|\.pid/i;
