import type ts from 'typescript';
import type { TransactionScope } from '../operations/state-access.js';
import type { Unit } from '../syntax/unit.js';
import { fileTransitions } from '../targets/file-transitions.js';

/** The innermost transaction whose callback a node stands in. */
export function transactionScopeAround(unit: Unit, node: ts.Node): TransactionScope | undefined {
  const scopes = fileTransitions(unit).accesses.filter((a): a is TransactionScope => a.kind === 'transaction' && a.body !== undefined);
  for (let n: ts.Node = node; !unit.ts.isSourceFile(n); n = n.parent) {
    const found = scopes.find((s) => s.body === n);
    if (found !== undefined) return found;
  }
  return undefined;
}
