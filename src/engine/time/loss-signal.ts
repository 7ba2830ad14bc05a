import type ts from 'typescript';
import { cannotThrow, isHarmless } from '../flow/call-words.js';
import type { AcquireOperation, ExtendOperation } from '../operations/operation.js';
import { awaited, calleeOf, memberOf, present, typeOf } from '../syntax/declared-type.js';
import { bare, enclosingFunction, isFunctionWithBody, nameText, wholeValue } from '../syntax/expression.js';
import type { TypeShape } from '../syntax/type-shape.js';
import type { Unit } from '../syntax/unit.js';

/**
 * What a section does with the signal that its lock is lost. `absent`: the function takes no signal. `unread`: it takes one and never asks it, or not after it has waited.
 * `heeded`: it asks it, or hands it on. `short`: nothing is left to do after the only wait.
 */
export interface SignalUse {
  readonly kind: 'absent' | 'unread' | 'heeded' | 'short';
  readonly name: string;
  /** The first effect that runs after a wait, or the place that heeds the signal. */
  readonly node: ts.Node;
}

/** How the function that runs under a lock treats the signal it is called with; undefined where it gets none. */
export function signalUse(unit: Unit, acquire: AcquireOperation): SignalUse | undefined {
  const { ts } = unit;
  const body = acquire.scope !== 'callback' || acquire.body === undefined ? undefined : bare(unit, acquire.body);
  if (body === undefined || (!ts.isArrowFunction(body) && !ts.isFunctionExpression(body))) return undefined;
  const index = signalIndex(unit, acquire);
  if (index === undefined) return undefined;
  const effects = effectsAfterWait(unit, body.body);
  const first = effects[0];
  if (first === undefined) return { kind: 'short', name: 'signal', node: acquire.node };
  const parameter = body.parameters[index];
  if (parameter === undefined) return { kind: 'absent', name: 'signal', node: first };
  if (!ts.isIdentifier(parameter.name)) return { kind: 'heeded', name: 'signal', node: parameter };
  const name = parameter.name.text;
  const reads = readsOf(unit, parameter.name, body);
  const [read] = reads;
  if (read === undefined) return { kind: 'unread', name, node: first };
  // Asked before the first wait, when the lock has just been taken, and never again.
  const wait = firstWait(unit, body.body);
  return reads.every((r) => wait !== undefined && r.end < wait.pos && isTest(unit, r)) ? { kind: 'unread', name, node: first } : { kind: 'heeded', name, node: read };
}

/** Which parameter of the section is the signal: redlock's only one, or the one that a wrapper declares as such. */
function signalIndex(unit: Unit, acquire: AcquireOperation): number | undefined {
  if (acquire.api === 'redlock.using') return 0;
  if (!unit.ts.isCallExpression(acquire.node) || acquire.body === undefined) return undefined;
  const at = acquire.node.arguments.indexOf(acquire.body);
  const type = at < 0 ? undefined : present(calleeOf(unit, acquire.node)?.signature.parameters[at]?.type ?? { kind: 'unknown' });
  if (type?.kind !== 'function') return undefined;
  const found = type.signature.parameters.findIndex((p) => isSignal(p.type));
  return found < 0 ? undefined : found;
}

function isSignal(type: TypeShape): boolean {
  const t = present(type);
  return (t.kind === 'named' || t.kind === 'object') && /AbortSignal$/.test(t.name ?? '');
}

function readsOf(unit: Unit, declared: ts.Identifier, root: ts.Node): ts.Identifier[] {
  const { ts } = unit;
  const binding = unit.scopes.resolve(declared);
  const found: ts.Identifier[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isIdentifier(n) && n !== declared && n.text === declared.text && unit.scopes.resolve(n) === binding) found.push(n);
    ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

function isTest(unit: Unit, id: ts.Identifier): boolean {
  const p = id.parent;
  return unit.ts.isPropertyAccessExpression(p) && p.expression === id && /^(?:aborted|throwIfAborted|error|reason)$/.test(p.name.text);
}

function firstWait(unit: Unit, root: ts.Node): ts.Node | undefined {
  const { ts } = unit;
  let found: ts.Node | undefined;
  const visit = (n: ts.Node): void => {
    if (found !== undefined) return;
    if (ts.isAwaitExpression(n)) found = n;
    else ts.forEachChild(n, visit);
  };
  visit(root);
  return found;
}

/** The awaited calls with an effect outside that run when the section has waited before: a loss in between goes unseen. */
export function effectsAfterWait(unit: Unit, root: ts.Node, from = root.pos): ts.Node[] {
  const { ts } = unit;
  const found: ts.Node[] = [];
  let waited = 0;
  const visit = (n: ts.Node, inLoop: boolean): void => {
    const loop = inLoop || ts.isIterationStatement(n, false);
    ts.forEachChild(n, (child) => visit(child, loop));
    if (!ts.isAwaitExpression(n) || n.pos < from) return;
    const call = bare(unit, n.expression);
    if (ts.isCallExpression(call) && (waited > 0 || inLoop) && !isHarmless(unit, call) && !cannotThrow(unit, call) && !isRead(call)) found.push(call);
    waited++;
  };
  visit(root, false);
  return found;

  /** A chain of a query builder that only reads: `.from(..).select(..).eq(..)`. */
  function isRead(call: ts.CallExpression): boolean {
    const text = call.getText(unit.file);
    return /\.(?:select|selectFrom|findOne|findMany|findFirst|findUnique)\(/.test(text) && !/\.(?:insert|update|upsert|delete|insertInto|updateTable|deleteFrom)\(/.test(text);
  }
}

/** A helper that renews in the background, or the acquire of a lock that renews itself, answers with a signal of the loss, which nobody here asks. */
export function unaskedSignal(unit: Unit, { node }: Pick<ExtendOperation, 'node'>): SignalUse | undefined {
  const { ts } = unit;
  if (!ts.isCallExpression(node)) return undefined;
  const type = present(awaited(typeOf(unit, node)));
  const isWhole = isSignal(type);
  const prop = isWhole ? '' : ['signal', 'lost', 'lostSignal', 'abortSignal'].find((name) => isSignal(memberOf(type, name)));
  if (prop === undefined) return undefined;
  const whole = wholeValue(unit, node);
  const p = whole.parent;
  const fn = enclosingFunction(unit, node);
  if (!isFunctionWithBody(unit, fn) || fn.body === undefined) return undefined;
  const effect = effectsAfterWait(unit, fn.body, node.end)[0];
  if (effect === undefined) return undefined;
  if (ts.isExpressionStatement(p)) return { kind: 'unread', name: 'signal', node: effect };
  if (!ts.isVariableDeclaration(p)) return undefined;
  if (ts.isObjectBindingPattern(p.name)) {
    const taken = p.name.elements.some((e) => e.dotDotDotToken !== undefined || nameText(unit, e.propertyName ?? e.name) === prop);
    return taken ? { kind: 'heeded', name: 'signal', node: p } : { kind: 'unread', name: 'signal', node: effect };
  }
  if (!ts.isIdentifier(p.name)) return undefined;
  const { text } = p.name;
  // `lease.stop()` says nothing of the signal; any other use may hand it on.
  const uses = readsOf(unit, p.name, fn).filter((id) => isWhole || !isOtherMember(id));
  const [use] = uses;
  return use === undefined ? { kind: 'unread', name: isWhole ? text : `${text}.${prop}`, node: effect } : { kind: 'heeded', name: text, node: use };

  function isOtherMember(id: ts.Identifier): boolean {
    const p = id.parent;
    // `if (!held) return` and `held.release()` say nothing of the loss.
    if (ts.isPropertyAccessExpression(p) && p.expression === id) return p.name.text !== prop;
    return ts.isIfStatement(p) || (ts.isPrefixUnaryExpression(p) && p.operator === ts.SyntaxKind.ExclamationToken) || ts.isBinaryExpression(p);
  }
}
