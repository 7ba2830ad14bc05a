import type ts from 'typescript';
import { Kept } from '../kept.js';

/**
 * The TypeScript namespace as a value. The engine never imports `typescript`: ts-morph, the user's ESLint and this package carry
 * different copies whose enum numbers differ, so every function that looks at a node takes the copy that made the node.
 */
export type Ts = typeof ts;

/** What is asked of nodes at every step: the guards, the walk, and the numbers of kinds and flags. */
const ASKED = /^(?:is[A-Z]|forEachChild$|SyntaxKind$|NodeFlags$|getModifiers$|canHaveModifiers$)/;

const held = new Kept<Ts, Ts>(true);

/**
 * The same namespace, quicker to ask: it has two thousand names behind getters, more than V8 keeps in an object it can look up without hashing the name. The guards
 * are copied to a small object that stands before it.
 */
export function quickly(ts: Ts): Ts {
  const known = held.get(ts);
  if (known !== undefined) return known;
  const near: object = Object.fromEntries(Object.entries(ts).filter(([name]) => ASKED.test(name)));
  // What is not among them is found behind them.
  Object.setPrototypeOf(near, ts);
  // An object with nothing of its own has the type of what stands behind it.
  const quick = Object.create(near) as Ts;
  held.set(ts, quick);
  return quick;
}
