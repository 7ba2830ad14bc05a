import type ts from 'typescript';

/** A function-like body that has its own control-flow graph. */
export type FlowRoot = ts.FunctionLikeDeclaration | ts.SourceFile | ts.ClassStaticBlockDeclaration;

/**
 * What a graph node does. Expressions are taken apart in evaluation order: each call, `new`, await, tagged template, and assignment of a statement is a node of its own
 * (operands first), so that a state change or an exception sits at the right place.
 */
export type FlowNodeKind =
  | 'entry' | 'exit' | 'throw-exit'
  /** A call, `new`, tagged template: may throw unless the no-throw list says otherwise. */
  | 'call'
  /** `await x` (also the implicit one of `for await` and `await using`): may throw. */
  | 'await'
  | 'yield'
  /** A write to a variable or property: declaration with initialiser, assignment, `++`, destructuring. `node` is the declaration or the assignment. */
  | 'assign'
  /** A condition: has edges `true` and `false`. `node` is the tested expression (never `!x`, `a && b`, `a || b`, `(x)`: those are taken apart). */
  | 'test'
  | 'return' | 'throw'
  /** Start of a catch block; `node` is the CatchClause. */
  | 'catch'
  /** Disposal of a `using` / `await using` declaration; `node` is its VariableDeclaration. */
  | 'dispose'
  /** Joins without an effect of their own: loop heads, merge points, statement starts. */
  | 'join';

export interface FlowEdge {
  readonly to: number;
  /** `true`/`false` only from `test`; `throw` where an exception leaves a node; `case` into a switch clause (test is the clause expression); `next` otherwise. */
  readonly kind: 'next' | 'true' | 'false' | 'throw' | 'case' | 'back';
  /** For `case`: the switch expression and the clause's expression; undefined clause means default. */
  readonly switchOn?: ts.Expression;
  readonly caseOf?: ts.Expression;
}

export interface FlowNode {
  readonly id: number;
  readonly kind: FlowNodeKind;
  readonly node: ts.Node | undefined;
  readonly edges: readonly FlowEdge[];
}

/** The graph of one root. `nodes[0]` is the entry. `exit` is the normal end (return or fall off), `throwExit` the exceptional one. */
export interface FlowGraph {
  readonly root: FlowRoot;
  readonly nodes: readonly FlowNode[];
  readonly entry: number;
  readonly exit: number;
  readonly throwExit: number;
  /** Graph ids of a syntax node, in order (finally blocks are copied, so a node can stand at several places). */
  idsOf(node: ts.Node): readonly number[];
}
