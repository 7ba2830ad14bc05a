import ts from 'typescript';
import { buildFlowGraph } from '../../../src/engine/flow/cfg-build.js';
import type { FlowEdge, FlowGraph, FlowNode, FlowRoot } from '../../../src/engine/flow/cfg-types.js';

interface PathOptions {
  /** Which calls and awaits throw. None by default, so that tests of other things have few paths. */
  readonly throwing?: (node: ts.Node) => boolean;
  /** Also shows the joins that start a copy of a finally block. */
  readonly exits?: boolean;
}

export const everything = { throwing: () => true } satisfies PathOptions;

/** Only the call with this text throws. */
export function throwingAt(text: string): PathOptions {
  return { throwing: node => node.getText() === text };
}

/** Parses as TSX, unbound. */
export function parse(code: string): ts.SourceFile {
  return ts.createSourceFile('flow.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
}

/** The graph of an async generator function with this body. */
export function graphOfBody(body: string, options: PathOptions = {}): FlowGraph {
  return graphOf(`async function* root() {\n${body}\n}`, options);
}

/** The graph of the first root in the code that `find` accepts; of the first function by default. */
export function graphOf(code: string, options: PathOptions = {}, find: (node: ts.Node) => FlowRoot | undefined = asFunction): FlowGraph {
  const file = parse(code);
  const root = first(file, find);
  if (root === undefined) throw new Error('the snippet has no root');
  return build(root, options);
}

export function graphOfModule(code: string, options: PathOptions = {}): FlowGraph {
  return build(parse(code), options);
}

/** All simple paths of a body, in edge order. */
export function paths(body: string, options: PathOptions = {}): string[] {
  return pathsOf(graphOfBody(body, options), options);
}

/**
 * All simple paths of a graph as words. A test shows as `x:true`, `x:present`, `x:no-next`; an edge that an exception takes as `!`; the way back to a loop's head as
 * `again`; the exits as `end` and `thrown`.
 */
export function pathsOf(graph: FlowGraph, options: PathOptions = {}): string[] {
  const found: string[] = [];
  const follow = (id: number, words: readonly string[], visited: ReadonlySet<number>): void => {
    const node = nodeOf(graph, id);
    const here = [...words, ...nodeWords(node, options)];
    if (node.edges.length === 0) found.push(here.join(' '));
    for (const edge of node.edges) {
      const next = [...here, ...edgeWords(node, edge)];
      if (edge.kind === 'back') found.push(next.join(' '));
      else if (!visited.has(edge.to)) follow(edge.to, next, new Set([...visited, edge.to]));
    }
  };
  follow(graph.entry, [], new Set([graph.entry]));
  return [...new Set(found)];
}

export function asFunction(node: ts.Node): FlowRoot | undefined {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined ? node : undefined;
}

function build(root: FlowRoot, { throwing = () => false }: PathOptions): FlowGraph {
  return buildFlowGraph(ts, root, { mayThrow: throwing });
}

function first(node: ts.Node, find: (node: ts.Node) => FlowRoot | undefined): FlowRoot | undefined {
  return find(node) ?? ts.forEachChild(node, child => first(child, find));
}

function nodeOf(graph: FlowGraph, id: number): FlowNode {
  const node = graph.nodes[id];
  if (node === undefined) throw new Error(`no node ${id}`);
  return node;
}

function nodeWords(node: FlowNode, options: PathOptions): string[] {
  const text = node.node?.getText().replace(/\s+/g, ' ') ?? '';
  switch (node.kind) {
    case 'call': return [text];
    case 'assign': return [`set<${text}>`];
    case 'await': case 'yield': case 'return': case 'throw': case 'catch': return [node.kind];
    case 'dispose': return [`dispose<${text.split(' ')[0] ?? ''}>`];
    case 'exit': return ['end'];
    case 'throw-exit': return ['thrown'];
    case 'join': return options.exits === true && node.onExit !== undefined ? [`finally-on-${node.onExit}`] : [];
    case 'entry': case 'test': return [];
  }
}

function edgeWords(node: FlowNode, edge: FlowEdge): string[] {
  switch (edge.kind) {
    case 'true': case 'false': return [testWord(node, edge.kind)];
    case 'throw': return node.kind === 'throw' ? [] : ['!'];
    case 'case': return [edge.caseOf === undefined ? 'default' : `case<${edge.caseOf.getText()}>`];
    case 'back': return ['again'];
    case 'next': return [];
  }
}

function testWord(node: FlowNode, branch: 'true' | 'false'): string {
  if (node.asks === 'next') return branch === 'true' ? 'item' : 'no-item';
  const text = node.node?.getText().replace(/\s+/g, ' ') ?? '';
  if (node.asks === 'truthy') return `${text}:${branch}`;
  return branch === 'true' ? `${text}:${node.asks}` : `${text}:not-${node.asks}`;
}
