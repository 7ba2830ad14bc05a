import type ts from 'typescript';
import { calleeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { memoryNamed, type Memory } from './local-memory.js';
import { Kept } from '../kept.js';

/**
 * The memory by which a function runs those it is handed one after the other: it reads the last promise there, puts the next one, and calls what it was handed when the
 * last one is settled. Undefined for a function that waits for anything else.
 */
export function chainMutex(unit: Unit, fn: ts.FunctionLikeDeclaration): Memory | undefined {
  const held = known.get(fn);
  if (held !== undefined) return held.memory;
  known.provisionally(fn, { memory: undefined });
  const memory = find(unit, fn) ?? handedOn(unit, fn);
  known.set(fn, { memory });
  return memory;
}

const known = new Kept<ts.Node, { readonly memory: Memory | undefined }>();

/** `return serially(name, work)`: the function it hands on what it was handed to, in its own file. */
function handedOn(unit: Unit, fn: ts.FunctionLikeDeclaration): Memory | undefined {
  const { ts } = unit;
  const [only, second] = fn.body === undefined ? [] : ts.isBlock(fn.body) ? fn.body.statements : [fn.body];
  if (only === undefined || second !== undefined) return undefined;
  const handed = ts.isReturnStatement(only) || ts.isExpressionStatement(only) ? only.expression : ts.isStatement(only) ? undefined : only;
  const call = handed && bare(unit, ts.isAwaitExpression(handed) ? handed.expression : handed);
  if (call === undefined || !ts.isCallExpression(call) || !call.arguments.some((a) => isParameter(unit, fn, a))) return undefined;
  const inner = calleeOf(unit, call);
  return inner?.body !== undefined && inner.signature.unit === unit ? chainMutex(unit, inner.body) : undefined;
}

function isParameter(unit: Unit, fn: ts.FunctionLikeDeclaration, node: ts.Expression): boolean {
  const e = bare(unit, node);
  const d = unit.ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  return d !== undefined && fn.parameters.some((p) => p === d);
}

function find(unit: Unit, fn: ts.FunctionLikeDeclaration): Memory | undefined {
  const { ts } = unit;
  const { body } = fn;
  if (body === undefined || fn.parameters.length === 0) return undefined;
  const written: Memory[] = [];
  let runs = false;
  let waits = false;
  let other = false;
  const visit = (n: ts.Node): void => {
    if (ts.isBinaryExpression(n) && n.operatorToken.kind === ts.SyntaxKind.EqualsToken) note(n.left);
    if (ts.isAwaitExpression(n)) {
      const e = bare(unit, n.expression);
      if (!ts.isCallExpression(e)) waits = true;
      else if (!isParameter(unit, fn, e.expression) && !/^(?:then|catch|finally)$/.test(lastName(e))) other = true;
    }
    if (ts.isCallExpression(n)) {
      const name = lastName(n);
      if (isParameter(unit, fn, n.expression)) runs = true;
      if (name === 'then') waits = true;
      if (name === 'then' && n.arguments.some((a) => isParameter(unit, fn, a))) runs = true;
      if (name === 'set' && ts.isPropertyAccessExpression(n.expression)) note(n.expression.expression);
    }
    ts.forEachChild(n, visit);
  };
  visit(body);
  if (!runs || !waits || other) return undefined;
  return written.find((m) => isRead(m));

  function note(target: ts.Expression): void {
    const memory = memoryNamed(unit, target, fn);
    if (memory !== undefined) written.push(memory);
  }

  function lastName(call: ts.CallExpression): string {
    const callee = bare(unit, call.expression);
    return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
  }

  /** `tail.then(..)`, `const before = tail`, `tails.get(key)` */
  function isRead(memory: Memory): boolean {
    let found = false;
    const look = (n: ts.Node): void => {
      const isName = (ts.isIdentifier(n) || ts.isPropertyAccessExpression(n)) && memoryNamed(unit, n, fn)?.declaration === memory.declaration;
      const p = n.parent;
      const isTarget = ts.isBinaryExpression(p) && p.left === n;
      const isSet = ts.isPropertyAccessExpression(p) && p.expression === n && /^(?:set|delete|size)$/.test(p.name.text);
      if (isName && !isTarget && !isSet) found = true;
      ts.forEachChild(n, look);
    };
    if (body !== undefined) look(body);
    return found;
  }
}
