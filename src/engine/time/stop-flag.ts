import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { resultNames } from '../flow/result-names.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { leaves } from './leaves.js';

/** What stands between a renewal and the next setting of its timeout. */
export interface Rearming {
  /** The conditions that keep it from being set anew, those on the renewal's own answer aside. */
  readonly guards: readonly ts.Expression[];
  /** As `guards`, and those that are asked before the renewal only: they end it one round later. */
  readonly tests: readonly ts.Expression[];
  /** It is set anew when the renewal has answered, so that whoever stops it meanwhile stops nothing. */
  readonly isAfterwards: boolean;
}

export function rearmingOf(unit: Unit, timer: ts.CallExpression, arming: ts.Node, reaches: readonly ts.Node[], renewal: ts.Node): Rearming {
  const { ts } = unit;
  const found: ts.Expression[] = [];
  const before: ts.Expression[] = [];
  let isAfterwards = false;
  // Before the timer is set: `if (this.closing) return;`
  addGuards(timer, arming);
  // Where the callback sets it anew.
  for (const fn of reaches) for (const call of armingCalls(fn)) if (call.pos > renewal.pos || fn !== enclosingFunction(unit, renewal)) {
    isAfterwards = true;
    addGuards(call, timer);
  }
  const guards = found.filter((e) => !isAboutAnswer(e));
  return { guards, tests: [...guards, ...before.filter((e) => !isAboutAnswer(e))], isAfterwards };

  /** The tests around a node and those that leave before it, up to a root. */
  function addGuards(node: ts.Node, root: ts.Node): void {
    for (let n: ts.Node = node; n !== root && n.parent; n = n.parent) {
      const p = n.parent;
      if (ts.isIfStatement(p) && p.expression !== n) found.push(p.expression);
      if (ts.isConditionalExpression(p) && p.condition !== n) found.push(p.condition);
      if (ts.isBinaryExpression(p) && p.right === n && (p.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken || p.operatorToken.kind === ts.SyntaxKind.BarBarToken)) found.push(p.left);
      if (!ts.isBlock(p)) continue;
      for (const s of p.statements) {
        if (s.pos >= n.pos) break;
        if (!ts.isIfStatement(s) || !leaves(unit, s.thenStatement)) continue;
        // A test before the renewal says nothing of what happened while it ran.
        const isBefore = s.end <= renewal.pos && renewal.end <= n.pos && p.pos < renewal.pos;
        (isBefore ? before : found).push(s.expression);
      }
    }
  }

  function armingCalls(fn: ts.Node): ts.CallExpression[] {
    const calls: ts.CallExpression[] = [];
    const name = armingName();
    const visit = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && n !== timer && name !== undefined && calledName(unit, n) === name) calls.push(n);
      ts.forEachChild(n, visit);
    };
    ts.forEachChild(fn, visit);
    return calls;
  }

  function armingName(): string | undefined {
    if ('name' in arming && arming.name !== undefined && (ts.isFunctionDeclaration(arming) || ts.isMethodDeclaration(arming))) return arming.name?.getText(unit.file);
    const p = arming.parent;
    return p !== undefined && (ts.isVariableDeclaration(p) || ts.isPropertyDeclaration(p)) ? p.name.getText(unit.file) : undefined;
  }

  /** `if (ok) schedule()` asks for the answer only. */
  function isAboutAnswer(e: ts.Expression): boolean {
    const names = ts.isCallExpression(renewal) ? resultNames(unit, renewal) : new Set();
    let other = false;
    const visit = (n: ts.Node): void => {
      if (other || n === renewal) return;
      if (ts.isPropertyAccessExpression(n) && n.expression.kind === ts.SyntaxKind.ThisKeyword) other = true;
      if (ts.isIdentifier(n) && !(ts.isPropertyAccessExpression(n.parent) && n.parent.name === n)) {
        const b = unit.scopes.resolve(n);
        if (b !== undefined && !names.has(b) && !isCallbackParameter(b.declaration)) other = true;
      }
      ts.forEachChild(n, visit);
    };
    visit(bare(unit, e));
    return !other;
  }

  /** `.then((ok) => ..)` */
  function isCallbackParameter(d: ts.Node): boolean {
    return ts.isParameter(d) && ts.isCallExpression(d.parent.parent) && calledName(unit, d.parent.parent) === 'then';
  }
}
