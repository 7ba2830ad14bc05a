import type ts from 'typescript';
import type { StateWrite } from '../operations/state-access.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { reaches } from './accesses.js';

/** What keeps rivals out of a write, where it stands outside of the function. */
export function protectedElsewhere(unit: Unit, write: StateWrite): 'own-row' | 'caller-transaction' | undefined {
  if (runsOnCallersTransaction(unit, write)) return 'caller-transaction';
  return writesOwnRow(unit, write) ? 'own-row' : undefined;
}

const TRANSACTION_NAME = /^(?:tx|trx|txn|transaction|transactionClient|transactionManager)$/i;
const TRANSACTION_TYPE = /Transaction|\bTx\b|PoolClient|EntityManager|ClientSession|\bTrx\b/;

/** The client is a parameter that by its type or name is a transaction: the caller may have locked the row. */
function runsOnCallersTransaction(unit: Unit, write: StateWrite): boolean {
  const { ts } = unit;
  const root = rootOf(unit, write.node);
  const binding = root && unit.scopes.resolve(root);
  const declaration = binding?.declaration;
  const parameter = declaration !== undefined && ts.isBindingElement(declaration) ? declaration.parent.parent : declaration;
  if (binding === undefined || parameter === undefined || !ts.isParameter(parameter)) return false;
  const fn = parameter.parent;
  // The callback of a transaction in sight is no caller elsewhere.
  if (fn.parent !== undefined && ts.isCallExpression(fn.parent)) return false;
  return TRANSACTION_NAME.test(binding.name) || (parameter.type !== undefined && ts.isIdentifier(parameter.name) && TRANSACTION_TYPE.test(parameter.type.getText(unit.file)));
}

function rootOf(unit: Unit, node: ts.Node): ts.Identifier | undefined {
  const { ts } = unit;
  let e: ts.Node = node;
  for (;;) {
    if (ts.isCallExpression(e)) e = bare(unit, e.expression);
    else if (ts.isTaggedTemplateExpression(e)) e = bare(unit, e.tag);
    else if (ts.isPropertyAccessExpression(e)) e = bare(unit, e.expression);
    else return ts.isIdentifier(e) ? e : undefined;
  }
}

const CREATES = /^(?:create|insert|insertOne|createOne|add|new)(?:[A-Z]\w*)?$/;

/** The identity of the row comes from an insert of the same function. */
function writesOwnRow(unit: Unit, write: StateWrite): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, write.node);
  if (write.verb === 'save' || !ts.isCallExpression(write.node)) return false;
  const makes = (n: ts.Node): boolean => {
    if (!ts.isCallExpression(n) || n.end > write.node.pos || enclosingFunction(unit, n) !== fn) return false;
    const callee = bare(unit, n.expression);
    return ts.isPropertyAccessExpression(callee) && CREATES.test(callee.name.text);
  };
  return identities(unit, write.node).some((e) => reaches(unit, e, makes));
}

/** The expressions of the statement that are compared with an id: `where: { id: run.id }`, `eq(runs.id, run.id)`, `[run.id]`. */
function identities(unit: Unit, node: ts.Node): readonly ts.Expression[] {
  const { ts } = unit;
  const found: ts.Expression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isFunctionLike(n)) return;
    if (ts.isPropertyAccessExpression(n) && /^_?id$/.test(n.name.text) && ts.isIdentifier(n.expression)) found.push(n.expression);
    else ts.forEachChild(n, visit);
  };
  visit(node);
  return found;
}
