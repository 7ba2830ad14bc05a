import type ts from 'typescript';
import { isHarmless } from '../flow/call-words.js';
import { calledFunction } from '../functions/called-function.js';
import { lockOperations } from '../functions/lock-operations.js';
import type { AcquireOperation } from '../operations/operation.js';
import { bare, enclosingFunction, isFunctionWithBody } from '../syntax/expression.js';
import type { Binding } from '../syntax/scope.js';
import type { Unit } from '../syntax/unit.js';
import type { SignalUse } from './loss-signal.js';

/**
 * A controller that a failed renewal aborts, made by the function that takes the lock, whose signal nobody hears: no work gets it and no code of the file asks it.
 * Undefined where it leaves the file or is asked anywhere.
 */
export function unheardAbort(unit: Unit, acquire: AcquireOperation): SignalUse | undefined {
  const { ts } = unit;
  if (!unit.says(/\bnew AbortController\b/) || unit.says(HEARS)) return undefined;
  const fn = outermost(acquire.node);
  for (const made of controllersIn(fn)) {
    const binding = unit.scopes.resolve(made.name);
    if (binding === undefined || !isAbortedOnLoss(binding)) continue;
    const step = workIn(fn, binding);
    if (step !== undefined && isKept(binding, new Set())) return { kind: 'unread', name: `${made.name.text}.signal`, node: step };
  }
  return undefined;

  /** The method or function around, where wrappers for traces and retries stand between it and the acquire. */
  function outermost(node: ts.Node): ts.Node {
    let at: ts.Node = enclosingFunction(unit, node);
    for (let p = at; isFunctionWithBody(unit, p); p = enclosingFunction(unit, p)) at = p;
    return at;
  }

  function controllersIn(root: ts.Node): { readonly name: ts.Identifier }[] {
    const found: { readonly name: ts.Identifier }[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isVariableDeclaration(n) && ts.isIdentifier(n.name) && n.initializer !== undefined) {
        const e = bare(unit, n.initializer);
        if (ts.isNewExpression(e) && e.expression.getText(unit.file) === 'AbortController') found.push({ name: n.name });
      }
      ts.forEachChild(n, visit);
    };
    visit(root);
    return found;
  }

  /** `controller.abort()` in a function that also renews a lock, by its own name or by that of a parameter it is handed to. */
  function isAbortedOnLoss(binding: Binding): boolean {
    const renewing = new Set<ts.Node>(lockOperations(unit).filter((o) => o.kind === 'extend').map((o) => enclosingFunction(unit, o.node)));
    const names = [binding, ...usesOf(binding).flatMap((id) => parametersFor(id) ?? []).flatMap((b) => [b, ...usesOf(b).flatMap((id) => parametersFor(id) ?? [])])];
    return names.some((b) => usesOf(b).some((id) => isAbort(id) && renewing.has(enclosingFunction(unit, id))));
  }

  function isAbort(id: ts.Identifier): boolean {
    const p = id.parent;
    return ts.isPropertyAccessExpression(p) && p.expression === id && p.name.text === 'abort' && ts.isCallExpression(p.parent);
  }

  function usesOf(binding: Binding): ts.Identifier[] {
    const found: ts.Identifier[] = [];
    const visit = (n: ts.Node): void => {
      if (ts.isIdentifier(n) && n !== binding.id && n.text === binding.name && !isMemberName(n) && unit.scopes.resolve(n) === binding) found.push(n);
      ts.forEachChild(n, visit);
    };
    visit(unit.file);
    return found;
  }

  function isMemberName(id: ts.Identifier): boolean {
    const p = id.parent;
    return (ts.isPropertyAccessExpression(p) || ts.isPropertyAssignment(p) || ts.isPropertySignature(p) || ts.isPropertyDeclaration(p)) && p.name === id;
  }

  /** The parameter of a function of this file that a name is handed to. */
  function parametersFor(id: ts.Identifier): Binding[] | undefined {
    const p = id.parent;
    if (!ts.isCallExpression(p)) return undefined;
    const called = calledFunction(unit, p);
    const parameter = called?.unit === unit ? called.fn.parameters[p.arguments.indexOf(id)] : undefined;
    const binding = parameter !== undefined && ts.isIdentifier(parameter.name) ? unit.scopes.resolve(parameter.name) : undefined;
    return binding && [binding];
  }

  /** Every use stays in this file: aborted, taken apart, handed to its own functions, or put away where only its own code looks. */
  function isKept(binding: Binding, seen: Set<Binding>): boolean {
    if (seen.has(binding)) return true;
    seen.add(binding);
    return usesOf(binding).every((id) => isKeptUse(id, seen));
  }

  function isKeptUse(id: ts.Identifier, seen: Set<Binding>): boolean {
    const p = id.parent;
    if (isAbort(id)) return true;
    if (ts.isPropertyAccessExpression(p) && p.expression === id) {
      // `signal.error = reason`
      if (ts.isBinaryExpression(p.parent) && p.parent.left === p) return true;
      if (p.name.text !== 'signal') return false;
      let e: ts.Node = p;
      while (ts.isAsExpression(e.parent) || ts.isParenthesizedExpression(e.parent) || ts.isNonNullExpression(e.parent)) e = e.parent;
      const named = ts.isVariableDeclaration(e.parent) && ts.isIdentifier(e.parent.name) ? unit.scopes.resolve(e.parent.name) : undefined;
      return named !== undefined && isKept(named, seen);
    }
    if (ts.isCallExpression(p)) return (parametersFor(id) ?? []).some((b) => isKept(b, seen));
    if (ts.isShorthandPropertyAssignment(p)) return isContext(p.parent);
    return ts.isPropertyAssignment(p) && p.initializer === id && isContext(p.parent);
  }

  /** `storage.run(context, ..)` of a private field: what it holds is read in this file only, unless the file gives it away whole. */
  function isContext(object: ts.ObjectLiteralExpression): boolean {
    const d = object.parent;
    const binding = ts.isVariableDeclaration(d) && ts.isIdentifier(d.name) ? unit.scopes.resolve(d.name) : undefined;
    return binding !== undefined && !unit.says(GIVES_STORE) && usesOf(binding).every((id) => {
      const call = id.parent;
      const callee = ts.isCallExpression(call) && call.arguments[0] === id ? bare(unit, call.expression) : undefined;
      return callee !== undefined && ts.isPropertyAccessExpression(callee) && callee.name.text === 'run' && isPrivate(callee.expression);
    });
  }

  function isPrivate(e: ts.Expression): boolean {
    if (!ts.isPropertyAccessExpression(e) || e.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
    if (ts.isPrivateIdentifier(e.name)) return true;
    return unit.says(new RegExp(`\\bprivate\\s+(?:readonly\\s+)?${e.name.text}\\b`));
  }

  /** The work: a call of a function that was handed over, else the first awaited call behind the controller. */
  function workIn(root: ts.Node, controller: Binding): ts.Node | undefined {
    const own = new Set<ts.Node>(lockOperations(unit).map((o) => o.node));
    let handed: ts.Node | undefined;
    let first: ts.Node | undefined;
    const visit = (n: ts.Node): void => {
      if (ts.isCallExpression(n) && n.pos > controller.declaration.end && !own.has(n)) {
        const callee = bare(unit, n.expression);
        const binding = ts.isIdentifier(callee) ? unit.scopes.resolve(callee) : undefined;
        if (binding?.kind === 'param' && enclosingFunction(unit, binding.id) === root) handed ??= n;
        if (ts.isAwaitExpression(n.parent) && enclosingFunction(unit, n) === root && !isHarmless(unit, n)) first ??= n;
      }
      ts.forEachChild(n, visit);
    };
    visit(root);
    return handed ?? first;
  }
}

/** Somebody in the file listens, or asks. */
const HEARS = /\.aborted\b|\bthrowIfAborted\b|['"]abort['"]|\bonabort\b|\bPromise\s*\.\s*(?:race|any)\b|\bAbortSignal\s*\.\s*any\b/;
/** The whole context is given to other code, which may ask its signal. */
const GIVES_STORE = /return\s+[\w.#]*\.getStore\(\)\s*(?:[;}\n]|as\b)|=>\s*[\w.#]*\.getStore\(\)\s*[;,)}\n]|export\s+const\s+\w+\s*=\s*new\s+AsyncLocalStorage/;
