import type ts from 'typescript';
import { simulate, type World } from '../flow/simulate.js';
import { calledName } from '../flow/call-words.js';
import { graphOf } from '../functions/function-graph.js';
import { parseSql } from '../embedded/sql-parse.js';
import { sqlRunOf } from '../operations/access-sql-run.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { handleOrThrowsForm } from '../operations/result-form.js';
import { bare, enclosingFunction, initialiserOf, isFunctionWithBody, settled } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';

/** A return that forgets the connection, with the path to it. */
export interface OpenConnection {
  readonly node: ts.Node;
  readonly world: World;
  /** The call that took the connection. */
  readonly site: ts.Node;
}

/** Calls that check a connection out for their caller alone. */
const CHECKS_OUT = /^(?:connect|getConnection|reserve|acquireConnection)$/;
const GIVES_BACK = /^(?:release|end|destroy|close)$/;

/**
 * A lock in a database is taken on a connection that the function checked out itself, and one return after it neither ends the transaction, frees the lock, gives the
 * connection back nor hands it over, though another exit does: what stays open there is out of everybody's reach. Connections without a lock are not looked at.
 */
export function openConnection(unit: Unit, acquire: AcquireOperation, all: readonly Operation[]): OpenConnection | undefined {
  const { ts } = unit;
  const fn = enclosingFunction(unit, acquire.node);
  const client = clientOf(acquire.node);
  const init = client && initialiserOf(unit, client);
  const site = init && settled(unit, init);
  if (client === undefined || site === undefined || enclosingFunction(unit, client.id) !== fn || !ts.isCallExpression(site) || !CHECKS_OUT.test(calledName(unit, site)) || isCaptured()) return undefined;
  const graph = graphOf(unit, fn);
  const worlds = graph && simulate(unit, graph, {
    acquires: new Map([[site, handleOrThrowsForm()]]),
    releases: new Set(),
    escapes: (node) => (ts.isCallExpression(node) ? endsHold(node) : ts.isBinaryExpression(node) && mentions(node.right)),
    recalls: () => false,
  });
  const exits = worlds?.filter((w) => w.at.kind === 'exit' && w.site === site) ?? [];
  const left = exits.flatMap((world) => {
    const node = world.hold === 'held' && passes(world, acquire.node) ? returnOf(world) : undefined;
    return node === undefined || mentions(node) ? [] : [{ node, world, site }];
  });
  const isElsewhereHeeded = exits.some((w) => w.hold === 'escaped' || mentions(returnOf(w)));
  return isElsewhereHeeded ? left.sort((a, b) => a.node.pos - b.node.pos)[0] : undefined;

  function clientOf(node: AcquireOperation['node']): Binding | undefined {
    const callee = bare(unit, ts.isCallExpression(node) ? node.expression : node.tag);
    const on = ts.isPropertyAccessExpression(callee) ? bare(unit, callee.expression) : callee;
    return ts.isIdentifier(on) ? unit.scopes.resolve(on) : undefined;
  }

  /** A function within may give it back at any time. */
  function isCaptured(): boolean {
    let found = false;
    const visit = (n: ts.Node): void => {
      if (isFunctionWithBody(unit, n)) found ||= mentions(n);
      else if (!found) ts.forEachChild(n, visit);
    };
    ts.forEachChild(fn, visit);
    return found;
  }

  /** Ends the transaction or the lock, gives the connection back, or hands it to other code. */
  function endsHold(call: ts.CallExpression): boolean {
    if (call.arguments.some(mentions)) return true;
    const callee = bare(unit, call.expression);
    const isOnClient = ts.isPropertyAccessExpression(callee) && mentions(callee.expression);
    if (isOnClient && GIVES_BACK.test(callee.name.text)) return true;
    if (all.some((o) => o.kind === 'release' && o.node === call)) return true;
    const run = isOnClient ? sqlRunOf(unit, call) : undefined;
    return run !== undefined && parseSql(run.text.parts).some((s) => s.type === 'commit' || s.type === 'rollback');
  }

  function mentions(node: ts.Node | undefined): boolean {
    if (node === undefined) return false;
    if (ts.isIdentifier(node)) return unit.scopes.resolve(node) === client;
    return ts.forEachChild(node, (child) => mentions(child) || undefined) === true;
  }

  function passes(world: World, node: ts.Node): boolean {
    for (let w: World | undefined = world; w; w = w.from) if (w.at.node === node) return true;
    return false;
  }

  function returnOf(world: World): ts.Node | undefined {
    for (let w: World | undefined = world; w && w.at.node !== acquire.node; w = w.from) if (w.at.kind === 'return') return w.at.node;
    return undefined;
  }
}
