import type ts from 'typescript';
import type { AccessNode } from '../operations/state-access.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** The calls and tagged templates below a node whose answer is waited for or handed back, in the order of the text. */
export function awaitedCalls(unit: Unit, root: ts.Node): readonly AccessNode[] {
  const held = known.get(root);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: AccessNode[] = [];
  const visit = (n: ts.Node): void => {
    if ((ts.isCallExpression(n) || ts.isTaggedTemplateExpression(n)) && isWaitedFor(unit, n)) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(root);
  known.set(root, found);
  return found;
}

const known = new Kept<ts.Node, readonly AccessNode[]>();

/** Awaited alone, in `Promise.all([..])`, or what an async function gives back. */
function isWaitedFor(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  let n = node;
  for (;;) {
    const p = n.parent;
    if (ts.isAwaitExpression(p)) return true;
    if (ts.isReturnStatement(p) || (ts.isArrowFunction(p) && p.body === n)) return isAsync(unit, enclosingFunction(unit, node));
    const passes = ts.isParenthesizedExpression(p) || ts.isAsExpression(p) || ts.isNonNullExpression(p) || ts.isSatisfiesExpression(p);
    if (passes) n = p;
    else if (ts.isPropertyAccessExpression(p) && p.expression === n && /^(?:catch|finally)$/.test(p.name.text) && ts.isCallExpression(p.parent)) n = p.parent;
    else if (ts.isArrayLiteralExpression(p) && ts.isCallExpression(p.parent) && /^Promise\.all(?:Settled)?$/.test(p.parent.expression.getText(unit.file))) n = p.parent;
    else return false;
  }
}

function isAsync(unit: Unit, fn: ts.Node): boolean {
  const { ts } = unit;
  return ts.canHaveModifiers(fn) && (ts.getModifiers(fn) ?? []).some((m) => m.kind === ts.SyntaxKind.AsyncKeyword);
}

/** The place of a call in an awaited `Promise.all([..])`; undefined elsewhere. */
export function placeInBatch(unit: Unit, node: ts.Node): { readonly batch: ts.Expression; readonly index: number } | undefined {
  const { ts } = unit;
  let n = node;
  while (ts.isPropertyAccessExpression(n.parent) && n.parent.expression === n && ts.isCallExpression(n.parent.parent)) n = n.parent.parent;
  const list = n.parent;
  return ts.isArrayLiteralExpression(list) && ts.isCallExpression(list.parent) ? { batch: list.parent, index: list.elements.findIndex((e) => e === n) } : undefined;
}
