import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import { evaluateBinding } from './cfg-assignments.js';
import type { FlowExit } from './cfg-types.js';
import type { Walk } from './cfg-walk.js';

type Disposal = 'using' | 'await using';

/** Runs `body` in a scope of its own and disposes at its end of what it declared with `using`, the last declared first. */
export function withinScope(walk: Walk, body: () => void): void {
  const { depth } = walk.jumps;
  body();
  walk.jumps.closeCleanupsAbove(depth);
}

/** Evaluates a list of declarations; `using` ones are disposed of when the scope around them ends. */
export function declare(walk: Walk, list: ts.VariableDeclarationList): void {
  const disposal = disposalOf(walk.ts, list);
  for (const declaration of list.declarations) {
    if (declaration.initializer === undefined) continue;
    walk.value(declaration.initializer);
    assignDeclared(walk, declaration, disposal);
  }
}

/** The variable of a for-of or for-in loop takes the next item. */
export function declareItem(walk: Walk, list: ts.VariableDeclarationList): void {
  const disposal = disposalOf(walk.ts, list);
  for (const declaration of list.declarations) assignDeclared(walk, declaration, disposal);
}

function assignDeclared(walk: Walk, declaration: ts.VariableDeclaration, disposal: Disposal | undefined): void {
  evaluateBinding(walk, declaration.name);
  walk.draft.add('assign', declaration);
  if (disposal !== undefined) walk.jumps.openCleanup(onExit => dispose(walk, declaration, disposal, onExit));
}

function dispose(walk: Walk, declaration: ts.VariableDeclaration, disposal: Disposal, onExit: FlowExit): void {
  const { draft, jumps } = walk;
  jumps.raise(draft.add('dispose', declaration, { onExit }));
  if (disposal === 'await using') jumps.raise(draft.add('await', declaration, { onExit }));
}

function disposalOf(ts: Ts, list: ts.VariableDeclarationList): Disposal | undefined {
  const flags = list.flags & ts.NodeFlags.BlockScoped;
  // Exact matches: `await using` is the bits of `using` and `const` together. Compilers before 5.2 have neither flag.
  if (flags === ts.NodeFlags.AwaitUsing) return 'await using';
  return flags === ts.NodeFlags.Using ? 'using' : undefined;
}
