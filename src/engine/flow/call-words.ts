import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** The last name of what a call calls: `fetcher`, `set`, `query`; empty for computed callees. */
export function calledName(unit: Unit, node: ts.Node): string {
  const { ts } = unit;
  const callee = ts.isCallExpression(node) || ts.isNewExpression(node) ? bare(unit, node.expression) : ts.isTaggedTemplateExpression(node) ? bare(unit, node.tag) : undefined;
  if (callee === undefined) return '';
  if (ts.isIdentifier(callee)) return callee.text;
  return ts.isPropertyAccessExpression(callee) ? callee.name.text : '';
}

/** Calls that cannot throw in practice: pure built-ins, clocks, ids, timers, collections, loggers. */
export function cannotThrow(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  if (ts.isAwaitExpression(node)) {
    const inner = bare(unit, node.expression);
    // `await x.catch(..)` swallows the rejection.
    return ts.isCallExpression(inner) && calledName(unit, inner) === 'catch';
  }
  if (ts.isCallExpression(node) && isOnLogger(unit, node)) return true;
  const name = calledName(unit, node);
  if (ts.isNewExpression(node)) return NO_THROW_CLASSES.has(name) || name.endsWith('Error');
  // `map.set(x)`, `list.push(x)` on the spot; awaited, they are a store's or a queue's.
  if (ts.isAwaitExpression(node.parent) && COLLECTION.test(name)) return false;
  return NO_THROW.has(name) || COLLECTION.test(name) || (MAKES_ID.test(name) && !ts.isAwaitExpression(node.parent)) || isResult(unit, node);
}

/** `Ok(value)`, `Result.err(error)`: a value that says how it went, by the names that the libraries of such values share. */
function isResult({ ts }: Unit, node: ts.Node): boolean {
  const callee = ts.isCallExpression(node) ? node.expression : undefined;
  if (callee === undefined || ts.isAwaitExpression(node.parent)) return false;
  if (ts.isIdentifier(callee)) return RESULT.test(callee.text);
  return ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && /^(?:Result|Either|Option)$/.test(callee.expression.text) && RESULT.test(callee.name.text);
}

const RESULT = /^(?:[oO]k|[eE]rr|okAsync|errAsync|[lL]eft|[rR]ight|[sS]ome|[nN]one)$/;

/** `work().catch(..)`, `Promise.race([work(), ..])`: what gives a promise to catch or gather on throws by that promise. */
export function isCaught(unit: Unit, call: ts.Node): boolean {
  const { ts } = unit;
  const p = call.parent;
  if (!ts.isCallExpression(call)) return false;
  if (ts.isArrayLiteralExpression(p)) return ts.isCallExpression(p.parent) && p.parent.arguments[0] === p && /^Promise\.(?:race|all|allSettled|any)$/.test(p.parent.expression.getText(unit.file));
  return ts.isPropertyAccessExpression(p) && p.expression === call && p.name.text === 'catch' && ts.isCallExpression(p.parent) && p.parent.expression === p;
}

const COLLECTION = /^(set|add|has|push|unshift|keys|values|entries|delete|clear|pop|shift|splice)$/;

/** A call that changes a map, set or list in place. */
export function changesCollection(unit: Unit, node: ts.Node): boolean {
  return /^(?:set|add|push|unshift|delete|clear|pop|shift|splice)$/.test(calledName(unit, node));
}

/** As `cannotThrow`, and calls of functions of this file that only make such calls. Those may have an effect all the same. */
export function throwsNothing(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  if (cannotThrow(unit, node)) return true;
  if (ts.isCallExpression(node)) return isPlainLocal(unit, node);
  // Of an async function that throws nothing and gives no promise of others the wait is as quiet.
  const called = ts.isAwaitExpression(node) ? bare(unit, node.expression) : undefined;
  return called !== undefined && ts.isCallExpression(called) && isPlainLocal(unit, called, true);
}

/** A function of this file, or a method of this class, whose body calls nothing that throws and throws nothing. */
function isPlainLocal(unit: Unit, call: ts.CallExpression, isAwaited = false): boolean {
  const { ts } = unit;
  const declaration = localFunction(unit, call);
  if (declaration?.body === undefined) return false;
  if (isAwaited && (declaration.modifiers?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword) !== true || handsOnPromise(unit, declaration.body))) return false;
  const known = plain.get(declaration);
  if (known !== undefined) return known;
  // A function that calls itself is left out.
  plain.provisionally(declaration, false);
  const isQuiet = (n: ts.Node): boolean => {
    if (ts.isFunctionLike(n)) return true;
    // What the block throws ends in its own catch clause.
    if (ts.isTryStatement(n) && n.catchClause !== undefined) return !handsOnPromise(unit, n.tryBlock) && isQuiet(n.catchClause.block) && (n.finallyBlock === undefined || isQuiet(n.finallyBlock));
    // A promise brings the error of who made it.
    if (ts.isAwaitExpression(n) && !throwsNothing(unit, n)) return false;
    if (ts.isThrowStatement(n) || ((ts.isCallExpression(n) || ts.isNewExpression(n) || ts.isTaggedTemplateExpression(n)) && !throwsNothing(unit, n))) return false;
    return ts.forEachChild(n, (child) => (isQuiet(child) ? undefined : true)) === undefined;
  };
  const quiet = isQuiet(declaration.body);
  plain.set(declaration, quiet);
  return quiet;
}

/** The function declaration or method that a call runs, where its own file says so. */
function localFunction(unit: Unit, call: ts.CallExpression): ts.FunctionDeclaration | ts.MethodDeclaration | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isIdentifier(callee)) {
    const declaration = unit.scopes.resolve(callee)?.declaration;
    return declaration !== undefined && ts.isFunctionDeclaration(declaration) ? declaration : undefined;
  }
  if (!ts.isPropertyAccessExpression(callee) || callee.expression.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
  let owner: ts.Node = call;
  while (!ts.isClassLike(owner)) {
    if (ts.isSourceFile(owner)) return undefined;
    owner = owner.parent;
  }
  return owner.members.find((m): m is ts.MethodDeclaration => ts.isMethodDeclaration(m) && m.body !== undefined && ts.isIdentifier(m.name) && m.name.text === callee.name.text);
}

/** `return load();`, `return pending;`: it may be a promise whose error nobody in the function waits for. */
function handsOnPromise({ ts }: Unit, root: ts.Node): boolean {
  const visit = (n: ts.Node): boolean => {
    if (ts.isFunctionLike(n)) return false;
    if (ts.isReturnStatement(n) && n.expression !== undefined && (ts.isCallExpression(n.expression) || ts.isIdentifier(n.expression) || ts.isPropertyAccessExpression(n.expression))) return true;
    return ts.forEachChild(n, visit) === true;
  };
  return visit(root);
}

const plain = new Kept<ts.Node, boolean>();

/** Calls without an outside effect: reads, pure computation, waiting, logging, building an error. The losing path may make them. */
export function isHarmless(unit: Unit, node: ts.Node): boolean {
  const { ts } = unit;
  if (cannotThrow(unit, node)) return true;
  if (ts.isNewExpression(node)) return true;
  if (ts.isCallExpression(node) && isWork(unit, node)) return false;
  return HARMLESS.test(calledName(unit, node));
}

/** Giving back a connection or closing a client is no work, nor is an event that says who was first. */
export function isCleanup(unit: Unit, node: ts.Node): boolean {
  return /^(release|close|quit|end|disconnect|destroy|rollback|commit|dispose|unlock|cancel|emit)$/i.test(calledName(unit, node));
}

/** A call that somebody outside may notice: not harmless, or a message that is sent and is no answer to a request. */
export function hasEffect(unit: Unit, node: ts.Node): boolean {
  if (!unit.ts.isCallExpression(node) || cannotThrow(unit, node)) return false;
  return !isHarmless(unit, node) || /^send[A-Z]/.test(calledName(unit, node));
}

/** A function that was handed over is the work itself, whatever its name; `send` is harmless only as the answer to a request. */
function isWork(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (ts.isIdentifier(callee)) return unit.scopes.resolve(callee)?.kind === 'param';
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'send' && !RESPONSE.test(callee.expression.getText(unit.file));
}

/** `res.status(200).json(..)`, `return c.json(..)`, `reply.send(..)`: tells the asker what was done. */
export function answersRequest(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  return ts.isPropertyAccessExpression(callee) && ANSWERS.test(callee.name.text) && RESPONSE.test(callee.expression.getText(unit.file));
}

const ANSWERS = /^(?:send|sendStatus|json|status|end|redirect|text|html|body|render|code|type|header|set|write)$/;
const RESPONSE = /^(?:res|resp|response|reply|ctx|c)\b/;

/** A call of a logger, a tracer or a counter: it tells people, not code. */
export function isOnLogger(unit: Unit, call: ts.CallExpression): boolean {
  const { ts } = unit;
  let e: ts.Expression = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(e)) return ts.isIdentifier(e) && LOG_FUNCTIONS.test(e.text);
  e = bare(unit, e.expression);
  while (ts.isPropertyAccessExpression(e)) {
    if (LOGGER.test(e.name.text)) return true;
    e = bare(unit, e.expression);
  }
  return ts.isIdentifier(e) && LOGGER.test(e.text);
}

const LOGGER = /^(console|.*log(ger)?|.*Log(ger)?|metrics?|stats|tracer|span|telemetry|Sentry)$/;
const LOG_FUNCTIONS = /^(log|debug|warn|trace)[A-Z]?\w*$/;

const NO_THROW = new Set([
  'randomUUID', 'nanoid', 'now', 'clearTimeout', 'clearInterval', 'setTimeout', 'setInterval', 'unref', 'getTime', 'toISOString', 'String', 'Number', 'Boolean', 'BigInt',
  'floor', 'ceil', 'round', 'max', 'min', 'random', 'trunc', 'abs', 'includes', 'join', 'slice', 'trim', 'toLowerCase', 'toUpperCase', 'toString', 'isArray',
  'catch', 'abort', 'randomBytes', 'hostname', 'startsWith', 'endsWith', 'concat', 'freeze', 'assign', 'map', 'filter', 'sort', 'padStart', 'indexOf',
]);
/** `generateId()`, `createRequestId()`, `uuidv4()`: a new id is made and nothing else. */
const MAKES_ID = /^(?:(?:generate|create|make|new|random)\w*(?:Id|ID|Uuid|UUID)|uuid(?:v\d)?|cuid2?|ulid|nanoid|ksuid|typeid)$/;
const NO_THROW_CLASSES = new Set(['Date', 'Map', 'Set', 'Error', 'AbortController', 'WeakMap', 'WeakSet', 'Array', 'Object']);

const HARMLESS = /^(get|find|load|read|fetchOne|list|select|has|is|exists|peek|count|query|prepare|sleep|delay|wait|backoff|parse|stringify|json|format|to[A-Z]|from|build|create[A-Z]\w*(Error|Key)|status|send|then|throwIfAborted|next|resolve|reject|isArray)([A-Z_]\w*)?$/;
