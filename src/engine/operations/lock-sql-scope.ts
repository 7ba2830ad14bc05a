import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import { declaredType, typeName } from './access-orm-chain.js';
import { ormAccess } from './access-orm.js';
import { sqlAccess } from './access-sql.js';
import type { SqlRun } from './access-sql-run.js';

/** The client a run uses, as a term. */
export function clientOf(run: SqlRun): Term | undefined {
  return run.client && termOf(run.unit, run.client);
}

/**
 * Whether code in sight ends the transaction that a statement runs in, whatever happens: the callback of a transaction whose client runs it, a batch, a client whose
 * declared type is a transaction, or BEGIN and COMMIT in the text itself.
 */
export function runsInTransaction(run: SqlRun): boolean {
  const { unit, node, client } = run;
  if (transactionWords(run).includes('begin') && transactionWords(run).includes('commit')) return true;
  if (isInBatch(unit, node)) return true;
  const term = clientOf(run);
  if (client === undefined || term === undefined) return false;
  const type = typeName(unit, declaredType(unit, client)) ?? '';
  return /(?:Transaction|TransactionClient|Tx|Trx)$/.test(type) || isTransactionCallback(unit, node, term);
}

function isInBatch(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  const list = node.parent;
  return ts.isArrayLiteralExpression(list) && ts.isCallExpression(list.parent) && isTransaction(unit, list.parent, () => true);
}

function isTransactionCallback(unit: Unit, node: ts.Node, client: Term): boolean {
  const { ts } = unit;
  for (let n: ts.Node | undefined = node.parent; n; n = n.parent) {
    if (!isFunctionWithBody(unit, n)) continue;
    const call: ts.Node = n.parent;
    if (ts.isCallExpression(call) && isTransaction(unit, call, (own) => own !== undefined && sameTerm(own, client))) return true;
  }
  return false;
}

function isTransaction(unit: Unit, call: ts.CallExpression, on: (client: Term | undefined) => boolean): boolean {
  const access = ormAccess(unit, call) ?? sqlAccess(unit, call);
  return access?.kind === 'transaction' && on(access.client);
}

/** The words that begin or end a transaction in the text of a run. */
export function transactionWords(run: SqlRun): readonly string[] {
  return parseSql(run.text.parts).flatMap((s) => (s.type === 'begin' || s.type === 'commit' || s.type === 'rollback' ? [s.type] : []));
}

/** Whether two runs share their client and their function. */
export function runsBeside(a: SqlRun, b: SqlRun): boolean {
  if (enclosingFunction(a.unit, a.node) !== enclosingFunction(b.unit, b.node)) return false;
  const [p, q] = [clientOf(a), clientOf(b)];
  return p !== undefined && q !== undefined && sameTerm(p, q);
}
