import type ts from 'typescript';
import { lockOperations } from '../functions/lock-operations.js';
import { locksHeldAround } from '../functions/locks-held.js';
import type { AccessNode } from '../operations/state-access.js';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, enclosingFunction, followed, isFunctionWithBody } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { within } from './accesses.js';
import { awaitedCalls } from './awaited-calls.js';

/** What runs while one acquire's lock is held, as far as its function shows it. */
export interface Section {
  /** The function that runs under the lock; undefined where the lock is taken and given back by hand. */
  readonly body: ts.FunctionLikeDeclaration | undefined;
  /** The awaited calls of it, those that take or free locks left out, in the order of the text. */
  readonly calls: readonly AccessNode[];
  /** The names that the locker hands to the function it runs. */
  readonly handed: ReadonlySet<string>;
}

/** The section of an acquire; undefined where its function cannot be read. */
export function sectionOf(unit: Unit, acquire: AcquireOperation): Section | undefined {
  const locking = new Set<ts.Node>(lockOperations(unit).filter((o) => o.kind !== 'inspect' && o.kind !== 'overwrite').map((o) => o.node));
  if (acquire.scope === 'callback') {
    const body = acquire.body && functionAt(unit, acquire.body);
    return body && { body, calls: awaitedCalls(unit, body).filter((c) => !locking.has(c)), handed: handedTo(unit, body) };
  }
  const fn = enclosingFunction(unit, acquire.node);
  const after = awaitedCalls(unit, fn).filter((c) => c.pos >= acquire.node.end && !locking.has(c));
  const isHeld = acquire.scope === 'transaction' ? () => true : (c: AccessNode): boolean => locksHeldAround(unit, c).some((l) => l.operation === acquire);
  return { body: undefined, calls: after.filter(isHeld), handed: new Set() };
}

function functionAt(unit: Unit, node: ts.Expression): ts.FunctionLikeDeclaration | undefined {
  const e = followed(unit, node);
  if (isFunctionWithBody(unit, e)) return e;
  const d = unit.ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  return d !== undefined && isFunctionWithBody(unit, d) ? d : undefined;
}

/** Signals, handles and clients are no state. */
function handedTo(unit: Unit, body: ts.FunctionLikeDeclaration): ReadonlySet<string> {
  const { ts } = unit;
  const names = body.parameters.flatMap((p) => (ts.isIdentifier(p.name) ? [p.name.text] : []));
  return new Set(names.filter((n) => !/signal|abort|lock|lease|ctx|context|^(?:tx|trx|client|conn|db|_)/i.test(n)));
}

/** Whether a condition of the section looks at what the locker handed in. */
export function testsHanded(unit: Unit, { body, handed }: Section): boolean {
  const { ts } = unit;
  if (body === undefined || handed.size === 0) return false;
  let found = false;
  const mentions = (n: ts.Node): boolean => (ts.isIdentifier(n) && handed.has(n.text)) || ts.forEachChild(n, mentions) === true;
  const visit = (n: ts.Node): void => {
    if ((ts.isIfStatement(n) || ts.isSwitchStatement(n)) && mentions(n.expression)) found = true;
    if (ts.isConditionalExpression(n) && mentions(n.condition)) found = true;
    ts.forEachChild(n, visit);
  };
  visit(body);
  return found;
}

/** Whether a node stands in the section's own function. */
export function isIn({ body, calls }: Section, node: ts.Node): boolean {
  return body !== undefined ? within(node, body) : calls.some((c) => within(node, c));
}

/** The expression behind parentheses and casts that a call calls. */
export function calleeIn(unit: Unit, node: AccessNode): ts.Expression {
  return bare(unit, unit.ts.isCallExpression(node) ? node.expression : node.tag);
}
