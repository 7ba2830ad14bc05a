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
  /** A condition: has edges `true` and `false`. `node` is the tested expression; `!x`, `a && b`, `a || b`, `(x)` are taken apart. `asks` says what is tested. */
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
  /** For `case`: the switch expression and the clause's expression; undefined clause means default, or past the switch where it has none. */
  readonly switchOn?: ts.Expression;
  readonly caseOf?: ts.Expression;
}

export interface FlowNode {
  readonly id: number;
  readonly kind: FlowNodeKind;
  readonly node: ts.Node | undefined;
  readonly edges: readonly FlowEdge[];
  /** Only on a `test`: what its `true` edge means. */
  readonly asks?: FlowQuestion;
  /** Only on the `join` that starts a copy of a finally block (`node` is the block) and on the nodes of a disposal: the way out this copy stands on. */
  readonly onExit?: FlowExit;
}

/**
 * What the `true` edge of a test says: the value is truthy; is neither null nor undefined (`??`, `?.`); is not undefined, so that a default stays unused;
 * or the loop has another item (`node` is then the for-of or for-in statement).
 */
export type FlowQuestion = 'truthy' | 'present' | 'defined' | 'next';

/** The ways out of a block. */
export type FlowExit = 'normal' | 'throw' | 'return' | 'break' | 'continue';

/** The graph of one root. `nodes[0]` is the entry. `exit` is the normal end (return or fall off), `throwExit` the exceptional one. */
export interface FlowGraph {
  readonly root: FlowRoot;
  readonly nodes: readonly FlowNode[];
  readonly entry: number;
  readonly exit: number;
  readonly throwExit: number;
  /**
   * Graph ids of a syntax node, in order (finally blocks are copied, so a node can stand at several places). A tested call has the ids of its `call` and its `test`:
   * look at `kind`. Empty for dead code and for what lies in a nested function.
   */
  idsOf(node: ts.Node): readonly number[];
}
