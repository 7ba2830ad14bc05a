import type ts from 'typescript';
import type { AcquireOperation, ReleaseOperation } from '../operations/operation.js';
import { bare } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { Grant } from './summary.js';
import { answerNames } from './wrapper-operation.js';

/** The calls that give a lock back by what its acquire gave: `release()`, `handle.release()`, `const [ok, free] = ..; free()`. */
export function grantCalls(unit: Unit, acquire: AcquireOperation, grant: Grant): ReleaseOperation[] {
  const { ts } = unit;
  if (grant.frees.size === 0) return [];
  const names = answerNames(unit, acquire.node);
  const found: ReleaseOperation[] = [];
  for (const scope of new Set([...names.keys()].map((b) => b.scope))) visit(scope);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) read(node);
    ts.forEachChild(node, visit);
  }

  function read(call: ts.CallExpression): void {
    const callee = bare(unit, call.expression);
    if (ts.isIdentifier(callee)) return add(call, callee, '');
    if (!ts.isPropertyAccessExpression(callee)) return;
    const on = bare(unit, callee.expression);
    if (ts.isIdentifier(on)) add(call, on, callee.name.text);
  }

  function add(call: ts.CallExpression, id: ts.Identifier, name: string): void {
    const binding = unit.scopes.resolve(id);
    const at = binding && placeOf(binding);
    if (at === undefined || (at !== '' && name !== '')) return;
    const traits = grant.frees.get(at === '' ? name : at);
    if (traits === undefined) return;
    found.push({
      node: call, kind: 'release', api: name === '' ? id.text : name, key: acquire.key, evidence: 'body', receiver: undefined, link: 'handle', handle: termOf(unit, id), owner: undefined,
      ownerSlot: 'none', ...traits,
    });
  }

  function placeOf(binding: Binding): string | undefined {
    return names.get(binding);
  }
}
