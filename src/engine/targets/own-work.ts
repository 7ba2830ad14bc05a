import type ts from 'typescript';
import { answersRequest } from '../flow/call-words.js';
import type { StateAccess, StateWrite } from '../operations/state-access.js';
import { enclosingFunction, settled, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { derivesFrom, within } from './accesses.js';

/** Calls that do no work of a step: logs, and what a connection or transaction needs. */
const NO_WORK = /^(?:log|debug|info|warn|error|trace|query|commit|rollback|release|end|close|flush|save|sleep|delay|all|resolve|json|parse|stringify|toISOString)$/;
/** What connections and builders run statements by, and executors their steps. */
const RUNS_STATEMENT = /^(?:execute|exec)$/;
const CONNECTION = /(?:^|[._])(?:db|database|pool|conn|connection|client|trx|tx|transaction|t|em|manager|runner|queryRunner|dataSource|sql|knex|prisma|redis|multi|pipeline|stmt|statement|batch|session|query|builder|qb)$|Db$|Pool$|Client$|Connection$/i;
/** `Promise.resolve(row)` and the like carry a value. */
const NO_WORK_OWNER = /^(?:console|log|logger|this\.log|this\.logger|JSON|Object|Math|Date|Promise)$/;

/** The first work that follows a write in its function: an awaited or returned call that is no access to rows and no log. */
export function workAfter(unit: Unit, write: StateWrite, accesses: readonly StateAccess[]): ts.CallExpression | undefined {
  const { ts } = unit;
  const rows = accesses.filter((a) => a.kind !== 'transaction');
  const fn = enclosingFunction(unit, write.node);
  const caught = blockOf(write.node);
  let found: ts.CallExpression | undefined;
  visit(fn);
  return found;

  function visit(node: ts.Node): void {
    if (found !== undefined || node.end <= write.node.end) return;
    if (ts.isCallExpression(node) && node.pos >= write.node.end && isWork(node) && blockOf(node) === caught) found = node;
    else ts.forEachChild(node, visit);
  }

  function isWork(call: ts.CallExpression): boolean {
    const callee = call.expression;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : ts.isIdentifier(callee) ? callee.text : '';
    // `this.execute(step)` and a plain `execute(step)` are the program's own.
    const owner = ts.isPropertyAccessExpression(callee) ? callee.expression : undefined;
    if (owner !== undefined && owner.kind !== ts.SyntaxKind.ThisKeyword && (NO_WORK.test(name) || NO_WORK_OWNER.test(owner.getText(unit.file)))) return false;
    if (owner !== undefined && RUNS_STATEMENT.test(name) && runsStatement(call, owner)) return false;
    if (answersRequest(unit, call)) return false;
    if (rows.some((a) => within(call, a.node) || within(a.node, call))) return false;
    const whole = wholeValue(unit, call);
    return ts.isAwaitExpression(whole) || ts.isVoidExpression(whole) || ts.isReturnStatement(whole.parent) || ts.isAwaitExpression(call.parent);
  }

  /** `builder.set(..).execute()`, `pool.execute('UPDATE ..')`, and not `executor.execute(step)`. */
  function runsStatement(call: ts.CallExpression, owner: ts.Expression): boolean {
    const [first] = call.arguments;
    if (first === undefined || ts.isCallExpression(owner) || CONNECTION.test(owner.getText(unit.file))) return true;
    return ts.isStringLiteralLike(first) || ts.isTemplateExpression(first) || ts.isTaggedTemplateExpression(first) || ts.isArrayLiteralExpression(first);
  }

  /** Work of a catch clause is no work of the step, unless the write stands there too. */
  function blockOf(node: ts.Node): ts.Node | undefined {
    for (let n = node.parent; n !== fn && n; n = n.parent) if (ts.isCatchClause(n)) return n;
    return undefined;
  }
}

/** Whether the written row goes to a caller, who works with it. A bare yes or no does not count. */
export function returnsRow(unit: Unit, write: StateWrite): boolean {
  const { ts } = unit;
  if (!/^(?:handle|rows|unknown)/.test(write.result.label)) return false;
  const fn = enclosingFunction(unit, write.node);
  if (ts.isSourceFile(fn)) return false;
  if (fn.type !== undefined && /\b(?:void|boolean)\b/.test(fn.type.getText(unit.file))) return false;
  if (ts.isArrowFunction(fn) && !ts.isBlock(fn.body)) return settled(unit, fn.body) === write.node;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (ts.isReturnStatement(n) && n.expression !== undefined && enclosingFunction(unit, n) === fn && givesRow(n.expression)) found = true;
    ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;

  function givesRow(e: ts.Expression): boolean {
    if (settled(unit, e) === write.node) return true;
    if (ts.isBinaryExpression(e) && e.operatorToken.kind !== ts.SyntaxKind.QuestionQuestionToken && e.operatorToken.kind !== ts.SyntaxKind.BarBarToken) return false;
    return !ts.isPrefixUnaryExpression(e) && !ts.isCallExpression(e) && !/\.(?:length|count|affected|rowCount)$/.test(e.getText(unit.file)) && derivesFrom(unit, e, write.node);
  }
}
