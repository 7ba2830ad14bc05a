import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { initialiserOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { changes } from './retry-limit.js';

/** What a refused worker does before it asks again. `varied`: the pause grows, or has a random part; `fixed`: the code itself says how long, the same for all and each time. */
export type Pause = 'none' | 'fixed' | 'varied' | 'elsewhere';

/** The pause among the calls and awaits between two tries. Whatever is awaited takes time. */
export function pauseAmong(unit: Unit, way: readonly ts.Node[], round: ts.Node, head: ts.Node): Pause {
  const { ts } = unit;
  const waits = [...way.filter((n) => ts.isAwaitExpression(n) && takesTime(unit, n.expression)), ...(isTimer(unit, head) ? [head] : [])];
  if (waits.length === 0) return 'none';
  if (waits.some((n) => isVaried(unit, n, round))) return 'varied';
  return waits.some((n) => namesTime(unit, n)) ? 'fixed' : 'elsewhere';
}

/** Another question to the store takes no longer than the acquire did, and the next turn of the event loop is no pause. */
function takesTime(unit: Unit, awaited: ts.Expression): boolean {
  if (/^(?:get|set|mget|exists|p?ttl|eval|del|publish|query|findOne|findFirst|findUnique)$/.test(calledName(unit, awaited))) return false;
  return !/\b(?:setImmediate|nextTick|queueMicrotask)\b/.test(awaited.getText(unit.file));
}

/** A number, or a constant of the file that is one. A pause that comes from settings is a policy. */
function namesTime(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  if (ts.isNumericLiteral(node)) return node.text !== '0';
  if (ts.isIdentifier(node)) {
    const binding = unit.scopes.resolve(node);
    const init = binding && initialiserOf(unit, binding);
    return init !== undefined && ts.isNumericLiteral(init);
  }
  return ts.forEachChild(node, (child) => namesTime(unit, child) || undefined) === true;
}

function isTimer(unit: Unit, node: ts.Node): boolean {
  return /^(?:setTimeout|delay|then)$/.test(calledName(unit, node)) || /setTimeout/.test(node.getText(unit.file));
}

function isVaried(unit: Unit, node: ts.Node, round: ts.Node, depth = 0): boolean {
  const { ts } = unit;
  if (/random|jitter|backoff|exponential|\*\*|\bpow\b/i.test(node.getText(unit.file))) return true;
  let varied = false;
  const visit = (n: ts.Node): void => {
    if (varied) return;
    if (ts.isIdentifier(n) && isValue(n)) {
      const d = unit.scopes.resolve(n)?.declaration;
      if (d !== undefined && ts.isVariableDeclaration(d) && d.initializer !== undefined && depth < 3 && d.initializer !== node && /random|jitter|backoff/i.test(d.initializer.getText(unit.file))) varied = true;
      if (d !== undefined && !ts.isFunctionLike(d) && changes(unit, n, round)) varied = true;
    }
    if (ts.isCallExpression(n)) {
      // The name of a promise's own `resolve` says nothing; a pause of the house may vary by itself.
      const called = depth < 2 ? calledFunction(unit, n) : undefined;
      if (called !== undefined && called.fn.body !== undefined && /random|jitter|\*\*|\bpow\b/i.test(called.fn.body.getText(called.unit.file))) varied = true;
    }
    ts.forEachChild(n, visit);
  };
  visit(node);
  return varied;

  function isValue(id: ts.Identifier): boolean {
    const binding = unit.scopes.resolve(id);
    return binding !== undefined && binding.kind !== 'import' && binding.kind !== 'function' && !(binding.id.pos >= node.pos && binding.id.end <= node.end);
  }
}
