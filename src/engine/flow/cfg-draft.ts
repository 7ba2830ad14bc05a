import type ts from 'typescript';
import { FLOW_NODE_BUDGET, FlowBudgetError } from './cfg-budget.js';
import type { FlowEdge, FlowGraph, FlowNode, FlowNodeKind, FlowQuestion, FlowRoot } from './cfg-types.js';

/** An edge whose end is not known yet: the next node that is added closes it. */
export interface OpenEdge {
  readonly from: number;
  readonly label: FlowEdgeLabel;
}

export type FlowEdgeLabel = Omit<FlowEdge, 'to'>;

/** The open edges behind a condition. */
export interface Branches {
  readonly whenTrue: readonly OpenEdge[];
  readonly whenFalse: readonly OpenEdge[];
}

type NodeDetails = Pick<FlowNode, 'asks' | 'onExit'>;

interface DraftNode extends FlowNode {
  readonly edges: FlowEdge[];
}

const NEXT: FlowEdgeLabel = { kind: 'next' };
const NOWHERE: readonly number[] = [];

/**
 * A graph under construction. `open` is the place where the walk stands: all edges that lead to whatever comes next. It is empty in dead code, and dead code gets no
 * nodes, so that every node of the finished graph, but for the two exits, is reached from the entry.
 */
export class FlowDraft {
  open: readonly OpenEdge[];
  private readonly nodes: DraftNode[] = [];
  private readonly ids = new Map<ts.Node, number[]>();

  constructor() {
    this.open = [{ from: this.push('entry', undefined), label: NEXT }];
  }

  get isDead(): boolean {
    return this.open.length === 0;
  }

  /** Adds a node where the walk stands and goes on behind it. Undefined in dead code. */
  add(kind: FlowNodeKind, node: ts.Node | undefined, details?: NodeDetails): number | undefined {
    if (this.isDead) return undefined;
    const id = this.push(kind, node, details);
    this.close(id);
    this.open = [{ from: id, label: NEXT }];
    return id;
  }

  /** Adds a test and takes the open edges out of the walk: the caller says which branch comes first. */
  test(node: ts.Node, asks: FlowQuestion): Branches {
    const id = this.add('test', node, { asks });
    this.open = [];
    if (id === undefined) return { whenTrue: [], whenFalse: [] };
    return { whenTrue: [{ from: id, label: { kind: 'true' } }], whenFalse: [{ from: id, label: { kind: 'false' } }] };
  }

  /** Takes the open edges out of the walk. */
  take(): readonly OpenEdge[] {
    const taken = this.open;
    this.open = [];
    return taken;
  }

  /** Lets further edges lead to whatever comes next. */
  merge(edges: readonly OpenEdge[]): void {
    if (edges.length > 0) this.open = this.open.length > 0 ? [...this.open, ...edges] : edges;
  }

  /** Ends the walk with a jump back to `head`. It gets a node of its own, because a `true` edge cannot be a `back` edge as well. */
  back(head: number | undefined, loop: ts.Node): void {
    const id = this.add('join', loop);
    this.open = [];
    if (id !== undefined && head !== undefined) this.nodeAt(id).edges.push({ kind: 'back', to: head });
  }

  finish(root: FlowRoot, normal: readonly OpenEdge[], thrown: readonly OpenEdge[]): FlowGraph {
    const exit = this.push('exit', undefined);
    this.open = normal;
    this.close(exit);
    const throwExit = this.push('throw-exit', undefined);
    this.open = thrown;
    this.close(throwExit);
    return { root, nodes: this.nodes, entry: 0, exit, throwExit, idsOf: node => this.ids.get(node) ?? NOWHERE };
  }

  private push(kind: FlowNodeKind, node: ts.Node | undefined, details?: NodeDetails): number {
    const id = this.nodes.length;
    if (id >= FLOW_NODE_BUDGET) throw new FlowBudgetError('nodes');
    this.nodes.push({ id, kind, node, edges: [], ...details });
    if (node !== undefined) this.remember(node, id);
    return id;
  }

  private remember(node: ts.Node, id: number): void {
    const known = this.ids.get(node);
    if (known === undefined) this.ids.set(node, [id]);
    else known.push(id);
  }

  private close(to: number): void {
    for (const { from, label } of this.take()) this.nodeAt(from).edges.push({ ...label, to });
  }

  private nodeAt(id: number): DraftNode {
    const node = this.nodes[id];
    if (node === undefined) throw new Error(`flow graph: an edge leaves node ${id}, which does not exist`);
    return node;
  }
}
