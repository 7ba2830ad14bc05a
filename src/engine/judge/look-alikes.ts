import type ts from 'typescript';
import { calledFunction } from '../functions/called-function.js';
import { lockOperations } from '../functions/lock-operations.js';
import { lockRole, speaksOfLocks } from '../operations/lock-words.js';
import { bare } from '../syntax/expression.js';
import { importTarget } from '../syntax/declared-import.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { nearMisses } from '../targets/near-misses.js';
import type { LookAlike } from './site.js';

/** What resembles a lock or a write of step state in a file and is judged by nothing, each with the line of configuration that would change that. */
export function lookAlikes(unit: Unit): readonly LookAlike[] {
  return [...lockLookAlikes(unit), ...stateLookAlikes(unit)];
}

function stateLookAlikes(unit: Unit): LookAlike[] {
  return nearMisses(unit).map(({ write, target, column, states }) => ({
    place: unit.placeOf(write.node),
    name: target,
    why: `sets ${column} to ${states.slice(0, 3).join(', ')}; nothing else says that its rows are steps, tasks, jobs or runs`,
    configLine: `targets: [{ name: '${target}', column: '${column}' }]`,
  }));
}

/** Calls that are named like an acquire and have neither a body in sight nor a structure that proves one. One a name. */
function lockLookAlikes(unit: Unit): LookAlike[] {
  const { ts } = unit;
  const known = new Set<ts.Node>(lockOperations(unit).map((o) => o.node));
  const found = new Map<string, LookAlike>();
  for (const call of fileNodes(unit).calls) if (!known.has(call)) consider(call);
  return [...found.values()];

  function consider(call: ts.CallExpression): void {
    const callee = bare(unit, call.expression);
    const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : undefined;
    if (name === undefined || found.has(name) || !isNamedAcquire(name) || call.arguments.length === 0 || !isAwaited(call)) return;
    // What its body does is judged there.
    if (calledFunction(unit, call) !== undefined) return;
    found.set(name, {
      place: unit.placeOf(call),
      name,
      why: 'is called like an acquire, and neither its source nor its arguments prove that it takes a lock',
      configLine: `locks: [{ id: '${name}',${packageOf(unit, callee)} operations: [{ op: 'acquire', call: '${name}', key: 'arg0' }] }]`,
    });
  }

  /** A lock that other processes respect is asked for over the network. */
  function isAwaited(call: ts.CallExpression): boolean {
    return ts.isAwaitExpression(call.parent);
  }
}

/** `acquireLock`, `tryLock`, `claimJob`; not `lock` alone, which every mutex and many screens have. */
function isNamedAcquire(name: string): boolean {
  return lockRole(name) === 'acquire' && speaksOfLocks(name) && !/^(?:lock|claim|lease)$/i.test(name);
}

function packageOf(unit: Unit, callee: ts.Expression): string {
  const binding = unit.ts.isIdentifier(callee) ? unit.scopes.resolve(callee) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  return target?.kind === 'package' ? ` package: '${target.from}',` : '';
}
