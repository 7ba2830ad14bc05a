import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

const known = new Kept<Unit, ReadonlySet<string>>();

/**
 * Whether a call is made on a client that the file also hands to redlock: `new Redlock([redis])` and `this.redis.set(..)`. A map or a second store may have a key of the
 * same text, and is no business of the lock.
 */
export function isOnLockStore(unit: Unit, node: ts.Node): boolean {
  const callee = unit.ts.isCallExpression(node) ? bare(unit, node.expression) : undefined;
  const name = callee !== undefined && unit.ts.isPropertyAccessExpression(callee) ? nameOf(unit, callee.expression) : undefined;
  return name !== undefined && clientsOf(unit).has(name);
}

function clientsOf(unit: Unit): ReadonlySet<string> {
  const { ts } = unit;
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = new Set<string>();
  const visit = (n: ts.Node): void => {
    const list = ts.isNewExpression(n) && /redlock$/i.test(n.expression.getText(unit.file)) ? n.arguments?.[0] : undefined;
    if (list !== undefined && ts.isArrayLiteralExpression(list)) for (const e of list.elements) found.add(nameOf(unit, e) ?? '');
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  known.set(unit, found);
  return found;
}

/** `redis` of `redis`, `this.redis` and `deps.redis`. */
function nameOf(unit: Unit, node: ts.Expression): string | undefined {
  const e = bare(unit, node);
  return unit.ts.isIdentifier(e) ? e.text : unit.ts.isPropertyAccessExpression(e) ? e.name.text : undefined;
}
