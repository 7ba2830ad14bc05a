import type { FlowGraph, FlowNode } from './cfg-types.js';

interface Mark {
  readonly node: FlowNode;
  /** When it was come to; -1: not yet. */
  index: number;
  /** The earliest of those it reaches that are still open. */
  low: number;
  /** The edge to follow next. */
  edge: number;
  /** -1: still open. */
  component: number;
}

/**
 * Numbers the strongly connected components of a graph, by node id: nodes that reach each other have the same number, and whoever reaches another component has a higher number
 * than it. (Tarjan's algorithm, with a path of its own: graphs are deeper than the stack.)
 */
export function componentsOf({ nodes }: FlowGraph): readonly number[] {
  const marks = nodes.map((node): Mark => ({ node, index: -1, low: 0, edge: 0, component: -1 }));
  const open: Mark[] = [];
  let count = 0;
  let components = 0;
  for (const mark of marks) if (mark.index === -1) visit(mark);
  return marks.map((mark) => mark.component);

  function visit(start: Mark): void {
    const path = [begin(start)];
    for (let mark = path.at(-1); mark !== undefined; mark = path.at(-1)) {
      const edge = mark.node.edges[mark.edge++];
      const to = edge && marks[edge.to];
      if (to?.index === -1) path.push(begin(to));
      else if (to !== undefined) {
        if (to.component === -1) mark.low = Math.min(mark.low, to.index);
      } else {
        path.pop();
        close(mark);
        const above = path.at(-1);
        if (above !== undefined) above.low = Math.min(above.low, mark.low);
      }
    }
  }

  function begin(mark: Mark): Mark {
    mark.index = mark.low = count++;
    open.push(mark);
    return mark;
  }

  function close(mark: Mark): void {
    if (mark.low !== mark.index) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      member.component = components;
      if (member === mark) break;
    }
    components++;
  }
}
