import type ts from 'typescript';
import type { Ts } from './typescript.js';

/** Whether two pieces of code of one file say the same, comments and blanks aside. */
export function isSameCode(ts: Ts, a: ts.Node, b: ts.Node): boolean {
  if (a.kind !== b.kind) return false;
  const [left, right] = [childrenOf(ts, a), childrenOf(ts, b)];
  if (left.length === 0 && right.length === 0) return a.getText() === b.getText();
  return operatorOf(ts, a) === operatorOf(ts, b) && left.length === right.length && left.every((child, at) => {
    const other = right[at];
    return other !== undefined && isSameCode(ts, child, other);
  });
}

function childrenOf(ts: Ts, node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => { children.push(child); });
  return children;
}

/** The operators that are no nodes. */
function operatorOf(ts: Ts, node: ts.Node): ts.SyntaxKind | undefined {
  return ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node) ? node.operator : undefined;
}
