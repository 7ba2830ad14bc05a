import type ts from 'typescript';
import type { Unit } from './unit.js';

/** The innermost loop that a node stands in, within a function; undefined where there is none. */
export function loopAround({ ts }: Unit, node: ts.Node, fn: ts.Node): ts.IterationStatement | undefined {
  for (let n = node.parent; n !== fn && n; n = n.parent) if (ts.isIterationStatement(n, false)) return n;
  return undefined;
}
