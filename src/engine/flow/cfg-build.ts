import type ts from 'typescript';
import type { Ts } from '../syntax/typescript.js';
import { evaluateBinding, evaluateDefault } from './cfg-assignments.js';
import { FLOW_NESTING_BUDGET, FlowBudgetError } from './cfg-budget.js';
import { evaluateCondition, evaluatePresence } from './cfg-conditions.js';
import { FlowDraft } from './cfg-draft.js';
import { evaluateChain, evaluateValue } from './cfg-expressions.js';
import { FlowJumps } from './cfg-jumps.js';
import { walkBlock, walkStatement } from './cfg-statements.js';
import type { FlowGraph, FlowRoot } from './cfg-types.js';
import type { Walk } from './cfg-walk.js';

/** How a graph is built. */
export interface FlowOptions {
  /** Whether a call (`CallExpression`, `NewExpression`, `TaggedTemplateExpression`) or an `AwaitExpression` can throw. */
  mayThrow(node: ts.Node): boolean;
}

/**
 * Builds the control-flow graph of one function, module or static block from syntax alone: no binder, no checker; the file needs parent pointers. Bodies of nested
 * functions and classes are not entered. A root without a body (an overload) gives a graph from entry to exit.
 *
 * @throws FlowBudgetError when the root is too large or nests too deep.
 */
export function buildFlowGraph(ts: Ts, root: FlowRoot, options: FlowOptions): FlowGraph {
  const draft = new FlowDraft();
  const jumps = new FlowJumps(draft);
  const nested = nestingGuard();
  const walk: Walk = {
    ts,
    draft,
    jumps,
    mayThrow: node => options.mayThrow(node),
    value: nested(expression => evaluateValue(walk, expression)),
    chain: nested(expression => evaluateChain(walk, expression)),
    condition: nested(expression => evaluateCondition(walk, expression)),
    presence: nested(expression => evaluatePresence(walk, expression)),
    statement: nested(statement => walkStatement(walk, statement)),
    block: statements => walkBlock(walk, statements),
  };
  walkRoot(walk, root);
  return draft.finish(root, [...jumps.returns.arrived, ...draft.take()], jumps.throws.arrived);
}

/** All functions that pass through one guard share its depth. An exception ends the walk, so that it need not unwind. */
function nestingGuard(): <Part, Result>(step: (part: Part) => Result) => (part: Part) => Result {
  let depth = 0;
  return step => part => {
    if (++depth > FLOW_NESTING_BUDGET) throw new FlowBudgetError('nesting');
    const result = step(part);
    depth--;
    return result;
  };
}

function walkRoot(walk: Walk, root: FlowRoot): void {
  const { ts } = walk;
  if (ts.isSourceFile(root)) return walk.block(root.statements);
  if (ts.isClassStaticBlockDeclaration(root)) return walk.block(root.body.statements);
  for (const parameter of root.parameters) {
    evaluateDefault(walk, parameter, parameter.initializer);
    evaluateBinding(walk, parameter.name);
  }
  if (root.body === undefined) return;
  if (ts.isBlock(root.body)) return walk.block(root.body.statements);
  walk.value(root.body);
  walk.draft.add('return', root.body);
  walk.jumps.return();
}
