import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';

/** Whether a call runs only where its client turned out to have the method: `if (typeof redis.eval === 'function')`. What stands behind it is for clients that cannot. */
export function asksWhetherClientCan(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  for (let n = node; n.parent && !ts.isFunctionLike(n); n = n.parent) {
    if (ts.isIfStatement(n.parent) && n.parent.thenStatement === n && ABILITY.test(n.parent.expression.getText(unit.file))) return true;
  }
  return false;
}

const ABILITY = /\btypeof\s+[\w.?!]+\s*===?\s*['"]function['"]|['"]\w+['"]\s+in\s/;
