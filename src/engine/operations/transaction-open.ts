import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare, enclosingFunction, wholeValue } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { sqlRunOf } from './access-sql-run.js';

/** What a call does to the transaction of the client it is called on. */
export type TransactionWord = 'begin' | 'commit' | 'rollback';

const METHODS: ReadonlyMap<string, TransactionWord> = new Map([
  ['begin', 'begin'], ['beginTransaction', 'begin'], ['startTransaction', 'begin'],
  ['commit', 'commit'], ['commitTransaction', 'commit'], ['rollback', 'rollback'], ['rollbackTransaction', 'rollback'], ['abortTransaction', 'rollback'],
]);

export interface TransactionStep {
  readonly word: TransactionWord;
  readonly node: ts.CallExpression | ts.TaggedTemplateExpression;
  /** The client whose transaction it is. */
  readonly client: Term;
}

/** `client.query('BEGIN')`, `conn.beginTransaction()`, `queryRunner.commitTransaction()`, `trx.rollback()`. A text with both words is over when the call is. */
export function transactionStep(unit: Unit, node: ts.Node): TransactionStep | undefined {
  const { ts } = unit;
  if (!ts.isCallExpression(node) && !ts.isTaggedTemplateExpression(node)) return undefined;
  const run = sqlRunOf(unit, node);
  if (run !== undefined) {
    const words = parseSql(run.text.parts).flatMap((s): TransactionWord[] => (s.type === 'begin' || s.type === 'commit' || s.type === 'rollback' ? [s.type] : []));
    const [only, ...more] = words;
    return only === undefined || more.length > 0 || run.client === undefined ? undefined : { word: only, node, client: termOf(unit, run.client) };
  }
  const callee = ts.isCallExpression(node) ? bare(unit, node.expression) : undefined;
  if (callee === undefined || !ts.isPropertyAccessExpression(callee) || !ts.isCallExpression(node)) return undefined;
  const made = takenAs(unit, node, callee.name.text);
  if (made !== undefined) return { word: 'begin', node, client: termOf(unit, made) };
  const word = METHODS.get(callee.name.text);
  const takesFunction = node.arguments.some((a) => ts.isArrowFunction(bare(unit, a)) || ts.isFunctionExpression(bare(unit, a)));
  return word === undefined || takesFunction ? undefined : { word, node, client: termOf(unit, callee.expression) };
}

/** `const trx = await knex.transaction()`: the handle is what the call gives. */
function takenAs(unit: Unit, call: ts.CallExpression, name: string): ts.Identifier | undefined {
  const { ts } = unit;
  if (!/^(?:transaction|startTransaction|startUnmanagedTransaction|beginTransaction|begin)$/.test(name) || call.arguments.some((a) => ts.isArrowFunction(a) || ts.isFunctionExpression(a))) return undefined;
  const holder = wholeValue(unit, call).parent;
  return ts.isVariableDeclaration(holder) && ts.isIdentifier(holder.name) ? holder.name : undefined;
}

/** The steps of one function, inner functions left aside, in the order of the text. */
export function transactionSteps(unit: Unit, fn: ts.Node): readonly TransactionStep[] {
  const found: TransactionStep[] = [];
  const visit = (node: ts.Node): void => {
    const step = transactionStep(unit, node);
    if (step !== undefined && enclosingFunction(unit, node) === fn) found.push(step);
    unit.ts.forEachChild(node, visit);
  };
  visit(fn);
  return found;
}

/** Whether a transaction is open on a client where a node stands: begun before it in a function around it. `maybe`: other code got the client before. */
export function transactionOpen(unit: Unit, node: ts.Node, client: ts.Expression): 'open' | 'none' | 'maybe' {
  const { ts } = unit;
  const term = termOf(unit, client);
  let handed = false;
  for (let fn: ts.Node = enclosingFunction(unit, node); ; fn = enclosingFunction(unit, fn)) {
    if (transactionSteps(unit, fn).some((s) => s.word === 'begin' && s.node.end <= node.pos + 1 && sameTerm(s.client, term))) return 'open';
    handed ||= isHandedBefore(fn);
    if (ts.isSourceFile(fn)) return handed ? 'maybe' : 'none';
  }

  function isHandedBefore(fn: ts.Node): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (found || n.pos >= node.pos) return;
      found = ts.isCallExpression(n) && n.end <= node.pos + 1 && n.arguments.some((a) => sameTerm(termOf(unit, a), term));
      ts.forEachChild(n, visit);
    };
    visit(fn);
    return found;
  }
}

const ASSERTS = /^(?:assert|require|expect)\w*Transaction$/;

/** `db.assertTransaction();` on the way to a statement on `db`, or on a part of it: it throws where no transaction is open. */
export function isTransactionAsserted(unit: Unit, node: ts.Node, client: ts.Expression): boolean {
  const { ts } = unit;
  const term = termOf(unit, client);
  const asserts = (s: ts.Statement): boolean => {
    const call = ts.isExpressionStatement(s) ? bare(unit, s.expression) : undefined;
    if (call === undefined || !ts.isCallExpression(call) || !ts.isPropertyAccessExpression(call.expression) || !ASSERTS.test(call.expression.name.text)) return false;
    const owner = termOf(unit, call.expression.expression);
    return sameTerm(owner, term) || (term.kind === 'path' && sameTerm(owner, term.base));
  };
  const fn = enclosingFunction(unit, node);
  for (let n = node; n !== fn && n.parent; n = n.parent) if (ts.isBlock(n.parent) && n.parent.statements.some((s) => s.end <= n.pos + 1 && asserts(s))) return true;
  return false;
}
