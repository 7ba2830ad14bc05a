import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { FlowBudgetError } from '../../../src/engine/flow/cfg-budget.js';
import { buildFlowGraph } from '../../../src/engine/flow/cfg-build.js';
import type { FlowGraph, FlowRoot } from '../../../src/engine/flow/cfg-types.js';
import { asFunction } from './flow-paths.js';

const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

describe.each(['typescript-eslint', 'vitest', 'knex', 'commander'])('real code: %s', name => {
  it('gives a sound graph for every root', { timeout: 60_000 }, () => {
    const files = globSync(`${name}/**/*.{ts,js}`, { cwd: packages, ignore: ['**/*.d.ts'], followSymbolicLinks: false });
    const faults = files.flatMap(path => faultsOfFile(path));
    expect(files.length).toBeGreaterThan(1);
    expect(faults).toEqual([]);
  });
});

function faultsOfFile(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(`${packages}${path}`, 'utf8'), ts.ScriptTarget.Latest, true);
  return rootsOf(file).flatMap(root => {
    const { line } = file.getLineAndCharacterOfPosition(root.getStart());
    return faultsOfRoot(root).map(fault => `${path}:${line + 1} ${fault}`);
  });
}

function rootsOf(file: ts.SourceFile): FlowRoot[] {
  const roots: FlowRoot[] = [file];
  const visit = (node: ts.Node): void => {
    const root = ts.isClassStaticBlockDeclaration(node) ? node : asFunction(node);
    if (root !== undefined) roots.push(root);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return roots;
}

function faultsOfRoot(root: FlowRoot): string[] {
  try {
    const graph = buildFlowGraph(ts, root, { mayThrow: () => true });
    return [...faultsOfEdges(graph), ...faultsOfReach(graph), ...faultsOfIds(graph)];
  } catch (error) {
    if (error instanceof FlowBudgetError) return [];
    throw error;
  }
}

function faultsOfEdges(graph: FlowGraph): string[] {
  return graph.nodes.flatMap(({ id, kind, edges }) => {
    const kinds = edges.map(edge => edge.kind);
    const isExit = kind === 'exit' || kind === 'throw-exit';
    if (edges.some(edge => graph.nodes[edge.to] === undefined)) return [`node ${id} has an edge to nowhere`];
    if (isExit !== (edges.length === 0)) return [`node ${id} (${kind}) has ${edges.length} edges`];
    if (kind === 'test' && kinds.toSorted().join() !== 'false,true') return [`test ${id} has the edges ${kinds.join()}`];
    return kind !== 'test' && kinds.some(label => label === 'true' || label === 'false') ? [`node ${id} (${kind}) has a branch`] : [];
  });
}

function faultsOfReach(graph: FlowGraph): string[] {
  const reached = new Set([graph.entry]);
  const waiting = [graph.entry];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    for (const { to } of graph.nodes[id]?.edges ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      waiting.push(to);
    }
  }
  return graph.nodes.filter(({ id, kind }) => kind !== 'exit' && kind !== 'throw-exit' && !reached.has(id)).map(({ id, kind }) => `node ${id} (${kind}) is not reached`);
}

function faultsOfIds(graph: FlowGraph): string[] {
  return graph.nodes
    .filter(({ id, node }, index) => id !== index || (node !== undefined && !graph.idsOf(node).includes(id)))
    .map(({ id }) => `node ${id} is not found by its syntax`);
}
