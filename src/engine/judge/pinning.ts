import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { standingOf, standingOfWrapper, type Standing } from '../functions/connection-standing.js';
import { clientOfStatement } from '../operations/connection-client.js';
import { sqlRunOf } from '../operations/access-sql-run.js';
import { runsInTransaction } from '../operations/lock-sql-scope.js';
import type { Operation } from '../operations/operation.js';
import type { AccessNode, TransactionScope } from '../operations/state-access.js';
import { transactionOpen } from '../operations/transaction-open.js';
import type { Place, WitnessStep } from '../place.js';
import { bare, enclosingFunction, isFunctionWithBody, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { quoted } from './quoted.js';
import { transactionScopeAround } from './transaction-scope.js';

/**
 * Whether a database lock lives as long as it has to: a session lock on one connection, a transaction's lock in an open transaction. `pool`: each statement may get
 * another connection. `autocommit`: the connection is one, and no transaction is open on it. `beside`: a transaction is open around it, on another handle.
 */
export type Pinning =
  | { readonly kind: 'held'; readonly note: string }
  | Unpinned
  | { readonly kind: 'unknown' };
export interface Unpinned {
  readonly kind: 'pool' | 'autocommit' | 'beside';
  /** The client as the code names it, quoted. */
  readonly client: string;
  readonly sure: boolean;
  /** Where the connection was chosen by a caller, that call; else the statement. */
  readonly at: Place;
  readonly witness: readonly WitnessStep[];
  /** BEGIN was sent to the pool too: it opens a transaction on whichever connection is free. */
  readonly begun: boolean;
  /** For `beside`: the handle of the open transaction, quoted. */
  readonly handle: string;
}

const UNKNOWN: Pinning = { kind: 'unknown' };

/** How an advisory, named or row lock stands, and its unlock; undefined for operations of other stores and for calls of wrappers. */
export function databasePinning(unit: Unit, operation: Operation): Pinning | undefined {
  if (operation.evidence !== 'model' || !isOfDatabase(operation.api)) return undefined;
  return pinningOf(unit, operation.node, /_xact_|^FOR UPDATE$/.test(operation.api) ? 'transaction' : 'session');
}

/** @param needs what the lock lives by */
export function pinningOf(unit: Unit, node: AccessNode, needs: 'session' | 'transaction', layer?: string): Pinning {
  const run = sqlRunOf(unit, node);
  if (run !== undefined && runsInTransaction(run)) return { kind: 'held', note: 'runs in a transaction that code in sight ends' };
  if (run !== undefined && needs === 'transaction' && endsInText(run.text.parts)) return { kind: 'held', note: 'the text is one transaction' };
  // Prisma runs what is returned unawaited when its caller says: maybe in a batch.
  if (run?.method.startsWith('$') === true && isReturnedLazily(unit, node)) return UNKNOWN;
  if (isMigration(unit, node)) return UNKNOWN;
  const on = clientOfStatement(unit, node, layer);
  const wrapped = on === undefined || on.kind === 'on' ? standingOfWrapper(unit, node) : undefined;
  if (on === undefined) return wrapped?.kind === 'pool' && unit.ts.isCallExpression(node) ? unpinned('pool', wrapped, node.expression) : UNKNOWN;
  const scope = transactionScopeAround(unit, node);
  const own: Standing = on.kind === 'in-options' ? { kind: 'pool', sure: true, assumed: false, via: [], mixed: false } : standingOf(unit, node, on.client);
  const standing = own.kind === 'unknown' ? wrapped ?? own : own;
  if (standing.kind === 'transaction') return { kind: 'held', note: 'runs on the connection of an open transaction' };
  if (scope !== undefined && (standing.kind === 'pool' || isRootOf(scope, on.client))) {
    // Without a parameter the transaction is found through the asynchronous context.
    return scope.client === undefined ? UNKNOWN : beside(scope, on.client);
  }
  // Statements awaited in turn get its one idle connection; those that run side by side do not. Without BEGIN none is in a transaction.
  if (standing.kind === 'own') return needs === 'transaction' && transactionOpen(unit, node, on.client) === 'none' ? unpinned('autocommit', standing, on.client) : UNKNOWN;
  if (standing.kind === 'pinned' || standing.kind === 'unknown') return needs === 'session' && standing.kind === 'pinned' ? { kind: 'held', note: 'runs on one connection' } : UNKNOWN;
  if (standing.kind === 'session') return needs === 'session' ? { kind: 'held', note: 'runs on one connection, checked out before' } : unpinned('autocommit', standing, on.client);
  if (needs === 'transaction' && standing.assumed && !worksElsewhere(outermost(standing))) return UNKNOWN;
  return unpinned('pool', standing, on.client);

  function unpinned(kind: Unpinned['kind'], standing: Standing, client: ts.Expression): Unpinned {
    const [outer] = standing.via;
    const at = standing.mixed && outer !== undefined ? outer.unit.placeOf(outer.call) : unit.placeOf(node);
    const note = kind === 'pool' ? 'each statement may run on another connection' : 'no transaction is open on the connection';
    const steps = standing.via.map((v): WitnessStep => ({ place: v.unit.placeOf(v.call), role: 'call', note: 'hands the connection over' }));
    return { kind, client: shown(client), sure: standing.sure, at, witness: [...steps, { place: unit.placeOf(node), role: 'acquire', note }], begun: transactionOpen(unit, node, client) === 'open', handle: '' };
  }

  /** Where the connection was chosen, as far as is in sight. */
  function outermost({ via: [outer] }: Standing): Spot {
    return outer === undefined ? { unit, node } : { unit: outer.unit, node: outer.call };
  }

  function beside(scope: TransactionScope, client: ts.Expression): Unpinned {
    const name = scope.body?.parameters[0]?.name.getText(unit.file) ?? '';
    return {
      kind: 'beside', client: shown(client), sure: true, at: unit.placeOf(node), begun: false, handle: quoted(name, 20),
      witness: [{ place: unit.placeOf(scope.node), role: 'enter', note: 'a transaction is open' }, { place: unit.placeOf(node), role: 'acquire', note: 'runs on another connection' }],
    };
  }

  function shown(client: ts.Expression): string {
    return quoted(client.getText(unit.file), 24);
  }

  function isRootOf(scope: TransactionScope, client: ts.Expression): boolean {
    const callee = unit.ts.isCallExpression(scope.node) ? bare(unit, scope.node.expression) : undefined;
    return callee !== undefined && unit.ts.isPropertyAccessExpression(callee) && callee.expression.getText(unit.file) === client.getText(unit.file);
  }
}

/** The function that got the connection awaits work that does not get it: no transaction of its callers can be around that work. */
function worksElsewhere({ unit, node }: Spot): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  const handles = ts.isSourceFile(fn) ? [] : fn.parameters.map((p) => p.name.getText(unit.file)).filter((name) => HANDLE.test(name));
  let works = false;
  let usesHandle = false;
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && n.pos > node.end && ts.isAwaitExpression(n.parent)) {
      const text = n.getText(unit.file);
      if (handles.some((h) => new RegExp(`\\b${h}\\b`).test(text))) usesHandle = true;
      else works = true;
    }
    ts.forEachChild(n, visit);
  };
  visit(fn);
  return works && !usesHandle;
}

interface Spot {
  readonly unit: Unit;
  readonly node: ts.Node;
}

const HANDLE = /^(?:db|database|knex|kysely|sql|pool|prisma\w*|sequelize|orm|pg|dataSource|client|conn\w*)$|(?:Db|Prisma|Knex)$/;

/** More statements than one in a text, or BEGIN in it: the server runs them in one transaction. */
function endsInText(parts: readonly string[]): boolean {
  const statements = parseSql(parts);
  return statements.length > 1 || statements.some((s) => s.type !== 'select' && s.type !== 'other');
}

function isReturnedLazily(unit: Unit, node: AccessNode): boolean {
  const { ts } = unit;
  const fn = enclosingFunction(unit, node);
  const whole = wholeValue(unit, node);
  const returned = ts.isReturnStatement(whole.parent) || (ts.isArrowFunction(whole.parent) && whole.parent.body === whole);
  return returned && !ts.isSourceFile(fn) && !(ts.canHaveModifiers(fn) && ts.getModifiers(fn)?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) === true);
}

/** Migration tools run `up` and `down` in a transaction of their own. */
function isMigration(unit: Unit, node: ts.Node): boolean {
  for (let n: ts.Node = node; !unit.ts.isSourceFile(n); n = n.parent) {
    if (!isFunctionWithBody(unit, n)) continue;
    const name = 'name' in n && n.name !== undefined ? n.name.getText(unit.file) : n.parent.getText(unit.file).slice(0, 16);
    if (/^(?:exports\.)?(?:up|down)\b/.test(name)) return true;
  }
  return false;
}

/** Locks of a database live by their session or transaction, and do not run out. */
export function isOfDatabase(api: string): boolean {
  return /^(?:pg_|GET_LOCK$|RELEASE_)|^FOR UPDATE$/.test(api);
}
