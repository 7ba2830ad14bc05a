import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { callTerms } from '../functions/call-terms.js';
import type { StateRead, StateWrite } from '../operations/state-access.js';
import { bare, enclosingFunction } from '../syntax/expression.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { freshnessOf, type Term } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import { methodAround } from '../operations/local-memory.js';
import type { Unit } from '../syntax/unit.js';
import { reaches, within } from './accesses.js';
import { callers, caughtBy, holdsEnd, rowOf } from './claimed-before.js';
import type { JudgedWrite } from './rivals.js';
import { isStateColumn, targetKey } from './step-words.js';
import { Kept } from '../kept.js';

/** What keeps rivals out of a write, where it stands outside of the function. */
export type Foreign = 'own-row' | 'caller-transaction' | 'handed-row' | 'beside-insert';

export function protectedElsewhere(unit: Unit, own: JudgedWrite, others: readonly JudgedWrite[], reads: readonly StateRead[]): Foreign | undefined {
  const { write } = own;
  if (runsOnCallersTransaction(unit, write)) return 'caller-transaction';
  if (standsBesideInsert(unit, write)) return 'beside-insert';
  if (writesOwnRow(unit, write, others) || makersCall(unit, write.node, write)) return 'own-row';
  const caught = caughtBy(unit, write.node);
  // An error after the row has ended ends it otherwise.
  if (caught !== undefined && holdsEnd(unit, caught, others)) return undefined;
  return reads.length === 0 && own.grade.to !== 'unknown' && isHandedRow(unit, write, others) ? 'handed-row' : undefined;
}

const TRANSACTION_NAME = /^(?:tx|trx|txn|transaction|transactionClient|transactionManager)$/i;
const TRANSACTION_TYPE = /Transaction|\bTx\b|Or(?:Tx|Trx)\b|PoolClient|EntityManager|ClientSession|\bTrx\b/;

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

/** The identity of the row comes from an insert of the same function, or from a function of the file that makes or claims such a row. */
export function writesOwnRow(unit: Unit, write: StateWrite, others: readonly JudgedWrite[]): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, write.node);
  if (write.verb === 'save' || !ts.isCallExpression(write.node)) return false;
  const makes = (n: ts.Node): boolean => {
    if (!ts.isCallExpression(n) || n.end > write.node.pos || !within(n, fn)) return false;
    const callee = bare(unit, n.expression);
    if (claimsInside(n, others)) return true;
    return ts.isPropertyAccessExpression(callee) && callee.expression.kind !== ts.SyntaxKind.ThisKeyword ? CREATES.test(callee.name.text) : givesOwnRow(unit, n, write, others);
  };
  return identities(unit, write.node).some((e) => reaches(unit, e, makes)) || namedItsRow(unit, write, methodAround(unit, write.node));

  /** `const run = await db.transaction(async (tx) => { .. the claim .. return run; })`. */
  function claimsInside(call: ts.CallExpression, some: readonly JudgedWrite[]): boolean {
    return call.arguments.some((a) => (ts.isArrowFunction(a) || ts.isFunctionExpression(a)) && some.some((o) => within(o.write.node, a) && typeof o.grade.grade === 'number' && o.grade.grade >= 4));
  }
}

/**
 * The id was made in this function, and a row was inserted with it before: `const runId = uuid(); await Run.create({ runId }); .. Run.update(.., { where: { runId } })`. Where it
 * was made does not matter once the row was inserted under it as its own id: a second insert fails.
 */
function namedItsRow(unit: Unit, { where, target, node }: StateWrite, fn: ts.Node): boolean {
  const { ts } = unit;
  const ids = where.flatMap((c) => (c.op === 'eq' && !c.mayBeAbsent && !isStateColumn(c.column) ? c.values.map((value) => ({ value, column: c.column.slice(c.column.lastIndexOf('.') + 1) })) : []));
  const made = ids.filter(({ value }) => freshnessOf(value) === 'random');
  const given = ids.filter(({ value, column }) => column === 'id' && freshnessOf(value) !== 'random');
  if (target === undefined || ids.length === 0) return false;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found || n.pos >= node.pos) return;
    if (ts.isCallExpression(n) && n.end <= node.pos && insertsInto(unit, n, target)) found = n.arguments.some((a) => mentions(a) || (!SKIPS.test(n.getText(unit.file)) && given.some(({ value, column }) => sets(a, column, value))));
    ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;

  function mentions(argument: ts.Node): boolean {
    return made.length > 0 && reaches(unit, argument, (n) => ts.isExpression(n) && (ts.isCallExpression(n) || ts.isIdentifier(n)) && made.some(({ value }) => sameTerm(termOf(unit, n), value)));
  }

  function sets(argument: ts.Node, column: string, value: Term): boolean {
    const isIt = (n: ts.Node): boolean => (ts.isShorthandPropertyAssignment(n) && n.name.text === column && sameTerm(termOf(unit, n.name), value))
      || (ts.isPropertyAssignment(n) && n.name.getText(unit.file) === column && sameTerm(termOf(unit, n.initializer), value)) || ts.forEachChild(n, isIt) === true;
    return isIt(argument);
  }
}

/** An insert that leaves a row alone which is there already. */
const SKIPS = /onConflict|on conflict|skipDuplicates|upsert|orIgnore|ignoreDuplicates|connectOrCreate/i;

/** A call of a function of this file in which, or in one it calls, a row of the target is made or claimed. */
function givesOwnRow(unit: Unit, call: ts.CallExpression, { target }: Pick<StateWrite, 'target'>, others: readonly JudgedWrite[], depth = 0): boolean {
  const { ts } = unit;
  const called = calledFunction(unit, call);
  if (called === undefined || called.unit !== unit || target === undefined) return false;
  const { fn } = called;
  if (others.some((o) => within(o.write.node, fn) && typeof o.grade.grade === 'number' && o.grade.grade >= 4)) return true;
  let found = false;
  const visit = (n: ts.Node): void => {
    if (found) return;
    if (ts.isCallExpression(n)) found = insertsInto(unit, n, target) || (depth < 1 && ts.isIdentifier(n.expression) && givesOwnRow(unit, n, { target }, others, depth + 1));
    if (!found) ts.forEachChild(n, visit);
  };
  visit(fn);
  return found;
}

/** A helper that is handed the row by functions of the file that made it, or that were handed it likewise. */
function makersCall(unit: Unit, node: ts.Node, { target, where }: Pick<StateWrite, 'target' | 'where'>, depth = 0): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  if (target === undefined || ts.isSourceFile(fn) || where.length === 0 || depth > 2) return false;
  const { calls, exported, passedOn } = callers(unit, fn);
  if (exported || passedOn || calls.length === 0) return false;
  return calls.every((call) => call.arguments.some((a) => reaches(unit, a, (n) => ts.isCallExpression(n) && n.end <= call.pos && insertsInto(unit, n, target)))
    || makersCall(unit, call, { target, where }, depth + 1));
}

/** `prisma.run.create(..)`, `db.insert(runs).values(..)`. */
function insertsInto(unit: Unit, call: ts.CallExpression, target: string): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'values') {
    const into = bare(unit, callee.expression);
    const [table] = ts.isCallExpression(into) && /^insert(?:Into)?$/.test(calledName(unit, into)) ? into.arguments : [];
    return table !== undefined && targetKey(ts.isStringLiteralLike(table) ? table.text : table.getText(unit.file)) === targetKey(target);
  }
  if (!ts.isPropertyAccessExpression(callee) || !CREATES.test(callee.name.text)) return false;
  const on = bare(unit, callee.expression);
  const name = ts.isPropertyAccessExpression(on) ? on.name.text : ts.isIdentifier(on) ? on.text : call.arguments[0]?.getText(unit.file) ?? '';
  return targetKey(name) === targetKey(target);
}

/** One statement of a batch with an insert, whose unique key may keep a second one out: `$transaction([log.create(..), run.update(..)])`. */
function standsBesideInsert(unit: Unit, { node }: StateWrite): boolean {
  const { ts } = unit;
  const list = node.parent;
  if (!ts.isArrayLiteralExpression(list) || !ts.isCallExpression(list.parent) || calledName(unit, list.parent) !== '$transaction') return false;
  return list.elements.some((e) => e !== node && ts.isCallExpression(e) && CREATES.test(calledName(unit, e)));
}

/** A helper that gets the row from exported functions of the file, which are handed the row themselves: whoever read it may have claimed it. */
function isHandedRow(unit: Unit, write: StateWrite, others: readonly JudgedWrite[]): boolean {
  const row = rowOf(write);
  return row !== undefined && comesFromCallers(unit, write.node, row, others, 0);
}

function comesFromCallers(unit: Unit, node: ts.Node, row: Term, others: readonly JudgedWrite[], depth: number): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  const caught = caughtBy(unit, node);
  if (ts.isSourceFile(fn) || depth > 3 || asksForState(unit, fn) || (depth > 0 && caught !== undefined && holdsEnd(unit, caught, others))) return false;
  const { calls, exported, passedOn } = callers(unit, fn);
  const root = row.kind === 'path' && /^_?id$/.test(row.prop) && row.base.kind === 'symbol' ? row.base.name : undefined;
  if (exported) return depth > 0 && root !== undefined && fn.parameters.some((p) => ts.isIdentifier(p.name) && p.name.text === root);
  return !passedOn && calls.length > 0 && calls.every((call) => {
    const there = callTerms(unit, call, { unit, fn })?.inCaller(row);
    return there !== undefined && comesFromCallers(unit, call, there, others, depth + 1);
  });
}

/** Code that looks at the state of a row it was handed decides on an old one. */
function asksForState(unit: Unit, fn: ts.Node): boolean {
  const held = asking.get(fn);
  if (held !== undefined) return held;
  const { ts } = unit;
  const visit = (n: ts.Node): boolean => (ts.isPropertyAccessExpression(n) && ts.isIdentifier(n.expression) && isStateColumn(n.name.text)) || ts.forEachChild(n, visit) === true;
  const asks = visit(fn);
  asking.set(fn, asks);
  return asks;
}

/** All writes of a function ask. */
const asking = new Kept<ts.Node, boolean>();

/** The expressions of the statement that are compared with an id: `where: { id: run.id }`, `where: { id }`, `eq(runs.id, run.id)`, `[run.id]`. */
function identities(unit: Unit, node: ts.Node): readonly ts.Expression[] {
  const { ts } = unit;
  const found: ts.Expression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isFunctionLike(n)) return;
    if (ts.isPropertyAccessExpression(n) && /^_?id$/.test(n.name.text) && ts.isIdentifier(n.expression)) found.push(n.expression);
    else if (ts.isShorthandPropertyAssignment(n) && /^_?id$/.test(n.name.text)) found.push(n.name);
    else if (ts.isPropertyAssignment(n) && /^_?id$/.test(n.name.getText(unit.file)) && ts.isIdentifier(n.initializer)) found.push(n.initializer);
    else ts.forEachChild(n, visit);
  };
  visit(node);
  return found;
}
