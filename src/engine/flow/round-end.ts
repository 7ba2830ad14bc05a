import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';
import type { World } from './simulate.js';

/** The `continue` by which the round of a loop was left that took the lock, on the way from `site` to a world; undefined where no `continue` left it. */
export function roundEnd({ ts }: Unit, root: ts.Node, world: World, site: ts.Node): ts.Node | undefined {
  let back: World | undefined;
  for (let w: World | undefined = world; w && w.at.node !== site; w = w.from) if (w.via === 'back') back = w;
  let last = back?.from;
  while (last !== undefined && last.at.node !== site && (last.at.node === undefined || ts.isIterationStatement(last.at.node, false))) last = last.from;
  for (let n = last?.at.node; n && n !== root; n = n.parent) {
    if (ts.isIterationStatement(n, false)) return undefined;
    const ended = ts.isIfStatement(n) ? [n.thenStatement, n.elseStatement].map((s) => (s && ts.isBlock(s) ? s.statements.at(-1) : s)).find((s) => s !== undefined && ts.isContinueStatement(s)) : undefined;
    if (ended !== undefined && ended.pos > site.pos) return ended;
  }
  return undefined;
}
