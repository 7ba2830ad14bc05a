import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import type { Operation } from '../operations/operation.js';
import { calleeOf } from '../syntax/declared-callee.js';
import { bare, functionName, isFunctionWithBody } from '../syntax/expression.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { fileOperations } from './file-operations.js';
import { soleImplementation } from './sole-implementation.js';
import type { ReadableFunction } from './summary.js';
import { Kept } from '../kept.js';

/** A call that may be one of a wrapper, with the function it calls. */
export interface WrapperCall {
  readonly call: ts.CallExpression;
  readonly called: ReadableFunction;
}

/** The calls of a file that may lead to a lock operation of a function that can be read, in the order of the text. */
export function wrapperCalls(unit: Unit): readonly WrapperCall[] {
  const held = known.get(unit);
  if (held !== undefined) return held;
  const found = findCalls(unit);
  known.set(unit, found);
  return found;
}

const known = new Kept<Unit, readonly WrapperCall[]>();

function findCalls(unit: Unit): WrapperCall[] {
  if (!fileOperations(unit).all.some(isEffect) && !LOCKISH.test(unit.file.text)) return [];
  const { calls, functions } = fileNodes(unit);
  const operating = new Set(functions.filter((fn) => operates(unit, fn)).map((fn) => lastName(unit, fn)));
  const bySpeech = new Set(calls.filter((c) => mayLock(unit, c)));
  if (operating.size === 0 && bySpeech.size === 0) return [];
  const names = withCallers(unit, operating, calls, bySpeech);
  return calls.flatMap((call) => {
    if (!names.has(calledName(unit, call)) && !bySpeech.has(call)) return [];
    const called = calledFunction(unit, call);
    return called === undefined ? [] : [{ call, called }];
  });
}

/** The function with a readable body that a call calls. */
export function calledFunction(unit: Unit, call: ts.CallExpression): ReadableFunction | undefined {
  const callee = calleeOf(unit, call);
  if (callee === undefined) return undefined;
  if (callee.body === undefined) return soleImplementation(unit, callee);
  return callee.body.asteriskToken === undefined ? { unit: callee.signature.unit, fn: callee.body } : undefined;
}

/** Whether a function has a lock operation in its body, in an inner function too: a closure may be what it gives. */
function operates(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  return fileOperations(unit).all.some((o) => isEffect(o) && o.node.pos >= fn.pos && o.node.end <= fn.end);
}

function isEffect(operation: Operation): boolean {
  return operation.kind !== 'inspect' && operation.kind !== 'overwrite';
}

function lastName(unit: Unit, fn: ts.Node): string {
  const name = functionName(unit, fn);
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The names of functions that call others of the names, three wrappers deep. */
function withCallers(unit: Unit, names: ReadonlySet<string>, calls: readonly ts.CallExpression[], bySpeech: ReadonlySet<ts.CallExpression>): ReadonlySet<string> {
  const all = new Set(names);
  for (const call of bySpeech) addOwner(call);
  for (let round = 0; round < 3; round++) {
    const before = all.size;
    for (const call of calls) if (all.has(calledName(unit, call))) addOwner(call);
    if (all.size === before) break;
  }
  return all;

  function addOwner(node: ts.Node): void {
    for (let n: ts.Node = node.parent; !unit.ts.isSourceFile(n); n = n.parent) {
      if (!isFunctionWithBody(unit, n)) continue;
      const name = lastName(unit, n);
      if (name !== '' && name !== '<module>') all.add(name);
      return;
    }
  }
}

/** Whether a call of something from another file is worth following: a lock word in its name here or there, in the object it is called on, or in the specifier it is imported by. */
function mayLock(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isIdentifier(callee)) return LOCKISH.test(callee.text) || isFromLockFile(unit, callee);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  const on = bare(unit, callee.expression);
  const owner = ts.isIdentifier(on) ? on.text : ts.isPropertyAccessExpression(on) ? on.name.text : '';
  return LOCKISH.test(callee.name.text) || LOCK_OBJECT.test(owner) || (ts.isIdentifier(on) && isFromLockFile(unit, on));
}

function isFromLockFile(unit: Unit, id: ts.Identifier): boolean {
  const { ts } = unit;
  const binding = unit.scopes.resolve(id);
  if (binding?.kind !== 'import') return false;
  const { declaration } = binding;
  if (ts.isImportSpecifier(declaration) && declaration.propertyName !== undefined && LOCKISH.test(declaration.propertyName.text)) return true;
  for (let n: ts.Node = declaration; !ts.isSourceFile(n); n = n.parent) {
    if (ts.isImportDeclaration(n)) return ts.isStringLiteral(n.moduleSpecifier) && LOCK_OBJECT.test(n.moduleSpecifier.text);
  }
  return false;
}

/** Objects and files that are called by what they hold. Not clocks, blocks and the like. */
const LOCK_OBJECT = /(?<![bcBC])lock|Lock(?!ed)|LOCK|(?<![rR]e)[lL]ease|[mM]utex|[sS]emaphore/;

/** Functions that are called by what they do: `claimStep`, not `createClaim`, which may be one of an insurance. */
const LOCKISH = new RegExp(`${LOCK_OBJECT.source}|[aA]cquire|\\b(?:tryC|c)laim|[eE]xclusive|[lL]eader|[rR]enew|\\brelease`);
