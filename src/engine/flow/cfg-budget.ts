/** The most nodes one root may have. Finally blocks are copied for each way out, so that nested ones can multiply. */
export const FLOW_NODE_BUDGET = 20_000;

/** How deep statements and expressions may nest: a limit of our own, because the engine's stack ends at a place that differs from run to run. */
export const FLOW_NESTING_BUDGET = 400;

const REASONS = {
  nodes: `its control-flow graph needs more than ${FLOW_NODE_BUDGET} nodes`,
  nesting: `its statements and expressions nest deeper than ${FLOW_NESTING_BUDGET} levels`,
} satisfies Record<string, string>;

/** Thrown by `buildFlowGraph` when a root is too large. The caller reports the root as unknown, never as fine. */
export class FlowBudgetError extends Error {
  override readonly name = 'FlowBudgetError';

  constructor(readonly budget: keyof typeof REASONS) {
    super(`The function is too large to analyse: ${REASONS[budget]}. Split it.`);
  }
}
