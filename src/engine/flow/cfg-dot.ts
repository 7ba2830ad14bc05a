import type { FlowEdge, FlowGraph, FlowNode } from './cfg-types.js';

const LONGEST_LABEL = 60;

/** Draws a graph in Graphviz's language, for debugging. Exceptions are dashed. */
export function flowGraphToDot(graph: FlowGraph): string {
  const lines = graph.nodes.flatMap(node => [drawNode(node), ...node.edges.map(edge => drawEdge(node, edge))]);
  return ['digraph flow {', '  node [shape=box];', ...lines, '}', ''].join('\n');
}

function drawNode(node: FlowNode): string {
  const words: string[] = [node.kind];
  if (node.asks !== undefined) words.push(`(${node.asks})`);
  if (node.onExit !== undefined) words.push(`(on ${node.onExit})`);
  if (node.node !== undefined) words.push(shorten(node.node.getText()));
  return `  n${node.id} [label=${quote(`${node.id} ${words.join(' ')}`)}];`;
}

function drawEdge(node: FlowNode, edge: FlowEdge): string {
  const style = edge.kind === 'throw' ? ', style=dashed' : '';
  return `  n${node.id} -> n${edge.to} [label=${quote(edgeText(edge))}${style}];`;
}

function edgeText({ kind, caseOf }: FlowEdge): string {
  if (kind === 'next') return '';
  if (kind === 'case') return caseOf === undefined ? 'default' : `case ${shorten(caseOf.getText())}`;
  return kind;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
}

function quote(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
