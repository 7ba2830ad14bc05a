import type ts from 'typescript';
import type { ExtendOperation } from '../operations/operation.js';
import { bare, wholeValue } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { isAgain } from './renewed.js';

/**
 * redlock 5 answers a renewal with a new lock; the old one counts as run out from then on, so that its next renewal throws. Version 4 renews in place: a file that shows
 * nothing of version 5 is left alone.
 */
export function usesOldHandle(unit: Unit, { api, node, receiver }: ExtendOperation): boolean {
  const { ts } = unit;
  if (!/^(?:lock|redlock)\.extend$/.test(api) || !ts.isCallExpression(node) || receiver === undefined) return false;
  if (!isVersionFive(unit) || !isAgain(unit, node)) return false;
  const whole = wholeValue(unit, node);
  if (ts.isExpressionStatement(whole.parent)) return !isThenAssigned(node);
  // `const next = await lock.extend(ttl)` that nobody reads.
  return false;

  /** `lock.extend(ttl).then((next) => { lock = next; })`. */
  function isThenAssigned(call: ts.CallExpression): boolean {
    for (let n: ts.Node = call; n !== whole.parent && n.parent; n = n.parent) {
      const p = n.parent;
      const callback = ts.isCallExpression(p) && ts.isPropertyAccessExpression(p.expression) && p.expression.name.text === 'then' ? p.arguments[0] : undefined;
      const fn = callback && bare(unit, callback);
      if (fn === undefined) continue;
      return !ts.isArrowFunction(fn) && !ts.isFunctionExpression(fn) ? true : fn.parameters.length > 0;
    }
    return false;
  }
}

/** `acquire([..])`, `using(..)`, settings and types that version 4 does not know. */
function isVersionFive(unit: Unit): boolean {
  if (unit.says(/\bautomaticExtensionThreshold\b|\bRedlockAbortSignal\b|\bResourceLockedError\b|\bExecutionError\b|@sesamecare-oss\/redlock|\.using\(\s*\[/)) return true;
  return unit.says(/\.acquire\(\s*\[/) && !unit.says(/\.unlock\(|\.lock\(/);
}
