import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import type { Branches, FlowDraft, OpenEdge } from './cfg-draft.js';
import type { FlowJumps } from './cfg-jumps.js';

/**
 * What every part of the walk shares. Statements, expressions and conditions contain one another; they call each other through this object, so that no file has to
 * import the one that imports it.
 */
export interface Walk {
  readonly ts: Ts;
  readonly draft: FlowDraft;
  readonly jumps: FlowJumps;
  mayThrow(node: ts.Node): boolean;
  /** Evaluates an expression for its value. */
  value(expression: ts.Expression): void;
  /** Like `value`, but hands back the edges on which an optional chain was cut short instead of merging them. */
  chain(expression: ts.Expression): readonly OpenEdge[];
  /** Evaluates an expression for its truth and takes the walk apart. */
  condition(expression: ts.Expression): Branches;
  /** Evaluates an expression and asks whether it is neither null nor undefined. */
  presence(expression: ts.Expression): Branches;
  statement(statement: ts.Statement): void;
  /** Runs statements that share a scope, disposals at its end included. */
  block(statements: readonly ts.Statement[]): void;
}

/** Adds a call or await node, which throws unless the caller's no-throw list knows better. */
export function addThrowing(walk: Walk, kind: 'call' | 'await', node: ts.Node): void {
  const id = walk.draft.add(kind, node);
  if (walk.mayThrow(node)) walk.jumps.raise(id);
}
