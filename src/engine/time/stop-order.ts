import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { bare, enclosingFunction, statementOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { RenewalTimer } from './renewal-timer.js';

/** A place that ends the renewal while the same function still waits for running work. */
export interface EarlyStop { readonly stop: ts.Node; readonly wait: ts.Node }

export function earlyStop(unit: Unit, timer: RenewalTimer): EarlyStop | undefined {
  const { ts } = unit;
  const stops: ts.Node[] = [...timer.clears, ...flagWrites(unit, timer)].sort((a, b) => a.pos - b.pos);
  for (const stop of stops) {
    const fn = enclosingFunction(unit, stop);
    if (ts.isSourceFile(fn) || fn === enclosingFunction(unit, timer.call)) continue;
    const wait = waitAfter(fn, stop);
    if (wait !== undefined) return { stop: statementOf(unit, stop), wait };
  }
  return undefined;

  /** The first wait for work after the stop; none where the work is told to end in between. */
  function waitAfter(fn: ts.Node, stop: ts.Node): ts.Node | undefined {
    let found: ts.Node | undefined;
    let told = false;
    const visit = (n: ts.Node): void => {
      if (found !== undefined || told || (n !== fn && ts.isFunctionLike(n))) return;
      if (n.pos >= stop.end) {
        if (ts.isCallExpression(n) && /^(?:abort|cancel|kill|terminate)\w*$/.test(calledName(unit, n))) told = true;
        if (ts.isAwaitExpression(n) && isWaitForWork(bare(unit, n.expression))) found = n;
      }
      ts.forEachChild(n, visit);
    };
    visit(fn);
    return told ? undefined : found;
  }

  function isWaitForWork(e: ts.Expression): boolean {
    if (!ts.isCallExpression(e)) return false;
    const name = calledName(unit, e);
    const on = ts.isPropertyAccessExpression(e.expression) ? e.expression.expression.getText(unit.file) : '';
    if (on === 'Promise') {
      const [list] = e.arguments;
      if (list === undefined) return false;
      if (name === 'race' && ts.isArrayLiteralExpression(list)) return list.elements.some((x) => isWaitForWork(bare(unit, x)));
      return /^all(?:Settled)?$/.test(name) && RUNNING.test(list.getText(unit.file));
    }
    return /^(?:drain|idle|onIdle|whenIdle|waitFor\w*(?:Jobs|Runs|Tasks|Work|Idle|Drained|Running|Active|Finish\w*|Completion)|finishRunning\w*|whenDone|settleAll|allSettled)$/.test(name);
  }
}

const RUNNING = /running|active|in_?flight|pending|jobs|tasks|runs|work(?!er)|promises|current/i;

/** The assignments that raise the flag which a rearmed timer asks. */
function flagWrites(unit: Unit, timer: RenewalTimer): ts.Node[] {
  const { ts } = unit;
  const names = new Set(timer.rearming.guards.flatMap((g) => flagNames(g)));
  const found: ts.Node[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken && isTruth(n.right)) {
      const target = bare(unit, n.left);
      const name = ts.isIdentifier(target) ? target.text : ts.isPropertyAccessExpression(target) ? target.name.text : undefined;
      if (name !== undefined && names.has(name)) found.push(n);
    }
    ts.forEachChild(n, visit);
  };
  if (names.size > 0) visit(unit.file);
  return found;

  function isTruth(e: ts.Expression): boolean {
    return e.kind === ts.SyntaxKind.TrueKeyword || e.kind === ts.SyntaxKind.FalseKeyword;
  }

  function flagNames(e: ts.Node): string[] {
    if (ts.isPropertyAccessExpression(e)) return [e.name.text];
    if (ts.isIdentifier(e)) return [e.text];
    const all: string[] = [];
    ts.forEachChild(e, (child) => {
      all.push(...flagNames(child));
    });
    return all;
  }
}
