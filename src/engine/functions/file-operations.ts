import type ts from 'typescript';
import type { Operation } from '../operations/operation.js';
import { operations } from '../operations/operations.js';
import { enclosingFunction } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** The lock operations that a file shows by itself, and where they stand. */
export interface FileOperations {
  readonly all: readonly Operation[];
  /** Those of one function, nested functions left aside. */
  readonly in: (fn: ts.Node) => readonly Operation[];
  readonly at: (node: ts.Node) => Operation | undefined;
}

/** Read once a unit: callers of a file ask for it again and again. */
export function fileOperations(unit: Unit): FileOperations {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const all = operations(unit);
  const byFunction = new Map<ts.Node, Operation[]>();
  const byNode = new Map<ts.Node, Operation>();
  for (const operation of all) {
    const fn = enclosingFunction(unit, operation.node);
    const some = byFunction.get(fn);
    if (some === undefined) byFunction.set(fn, [operation]);
    else some.push(operation);
    byNode.set(operation.node, operation);
  }
  const made: FileOperations = { all, in: (fn) => byFunction.get(fn) ?? [], at: (node) => byNode.get(node) };
  known.set(unit, made);
  return made;
}

const known = new Kept<Unit, FileOperations>();
