import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import type { AcquireOperation, Operation } from '../operations/operation.js';
import { bare, enclosingFunction, initialiserOf, settled } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';

/** Calls that lend a connection of a pool. */
const LENDS = /^(?:connect|getConnection|reserve)$/;
const BY_SESSION = /^(?:pg_(?:try_)?advisory_lock(?:_shared)?|GET_LOCK)$/;

/**
 * The call that gives a pooled connection back with the session lock of `acquire` still on it: nothing in the file unlocks, and the connection stays in its function. Undefined
 * where it is handed on, closed, or where anything unlocks: then the paths tell.
 */
export function sessionLeft(unit: Unit, { node, api, scope }: AcquireOperation, all: readonly Operation[]): ts.CallExpression | undefined {
  const { ts } = unit;
  if (scope !== 'manual' || !BY_SESSION.test(api) || all.some((o) => o.kind === 'release' && /unlock|release_/i.test(o.api))) return undefined;
  const fn = enclosingFunction(unit, node);
  const callee = bare(unit, ts.isCallExpression(node) ? node.expression : node.tag);
  const on = ts.isPropertyAccessExpression(callee) ? bare(unit, callee.expression) : callee;
  const client = ts.isIdentifier(on) ? unit.scopes.resolve(on) : undefined;
  const init = client && initialiserOf(unit, client);
  const site = init && settled(unit, init);
  if (client === undefined || site === undefined || !ts.isCallExpression(site) || !LENDS.test(calledName(unit, site)) || enclosingFunction(unit, client.id) !== fn) return undefined;
  const uses = usesIn(fn, client);
  // Handed to other code, or closed with its session.
  if (uses.some((u) => !isCalledOn(u)) || uses.some((u) => closes(u))) return undefined;
  return uses.map((u) => callOn(u)).find((c) => c !== undefined && c.pos > node.pos && calledName(unit, c) === 'release');

  function usesIn(root: ts.Node, binding: Binding): readonly ts.Identifier[] {
    const found: ts.Identifier[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isIdentifier(n) && n !== binding.id && unit.scopes.resolve(n) === binding) found.push(n);
      ts.forEachChild(n, visit);
    };
    visit(root);
    return found;
  }

  /** The receiver of a call in the function itself. */
  function isCalledOn(use: ts.Identifier): boolean {
    return callOn(use) !== undefined && enclosingFunction(unit, use) === fn;
  }

  function callOn(use: ts.Identifier): ts.CallExpression | undefined {
    const access = use.parent;
    const call = access.parent;
    return ts.isPropertyAccessExpression(access) && access.expression === use && ts.isCallExpression(call) && call.expression === access ? call : undefined;
  }

  function closes(use: ts.Identifier): boolean {
    const call = callOn(use);
    const name = call === undefined ? '' : calledName(unit, call);
    return /^(?:end|destroy|close)$/.test(name) || (name === 'release' && call !== undefined && call.arguments.length > 0);
  }
}
