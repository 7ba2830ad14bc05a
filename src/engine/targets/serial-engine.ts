import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { programCallers } from '../functions/program-callers.js';
import { importSource } from '../operations/import-source.js';
import { bare, enclosingFunction, followed, nameText, propertyOf } from '../syntax/expression.js';
import { showTerm, type Term } from '../syntax/term.js';
import { moduleHead } from '../syntax/module-head.js';
import type { Unit } from '../syntax/unit.js';
import { Kept } from '../kept.js';

/** An engine that runs the code of one key in turn. Queues and step limits are none: they count work, and hand a job out again while it still runs. */
export interface SerialEngine {
  /** The object, class or function whose entries wait for each other. Two writers are kept apart where theirs is the same. */
  readonly group: ts.Node;
  readonly unit: Unit;
  readonly name: 'Restate object' | 'Durable Object' | 'Dapr actor' | 'Inngest singleton' | 'Temporal workflow';
  /** False where another entry comes in while this one awaits. */
  readonly exclusive: boolean;
  /** How the key is written in the code of the group; undefined where the code does not tell. */
  readonly key: RegExp | undefined;
}

/** Helpers of an engine's code are followed outwards this far. */
const DEPTH = 3;
const known = new Kept<ts.Node, { readonly found: SerialEngine | undefined }>();

/** The engine that a place runs in: around it, or around all calls of its function. Undefined where there is none, or not all callers are in sight. */
export function serialEngineOf(unit: Unit, node: ts.Node): SerialEngine | undefined {
  const held = known.get(node);
  if (held !== undefined) return held.found;
  const found = engineAt(unit, node, DEPTH);
  known.set(node, { found });
  return found;
}

/** Whether two places never run at the same moment for one key. */
export function areInTurn(a: SerialEngine | undefined, b: SerialEngine | undefined): boolean {
  return a !== undefined && b !== undefined && a.group === b.group && a.exclusive && b.exclusive;
}

/** The row is chosen by the key of the engine, or the engine runs nothing twice at all. */
export function choosesByKey({ key }: SerialEngine, identity: readonly Term[]): boolean {
  return key !== undefined && (key.source === ANY.source || identity.some((t) => key.test(showTerm(t))));
}

const ANY = /(?:)/;

function engineAt(unit: Unit, node: ts.Node, depth: number): SerialEngine | undefined {
  const { ts } = unit;
  const around = engineAround(unit, node);
  if (around !== undefined || depth === 0) return around;
  let fn = enclosingFunction(unit, node);
  // A callback runs where the call runs that it is handed to: `ctx.run(() => ..)`.
  while ((ts.isArrowFunction(fn) || ts.isFunctionExpression(fn)) && ts.isCallExpression(fn.parent)) fn = enclosingFunction(unit, fn.parent);
  if (ts.isSourceFile(fn)) return undefined;
  const { calls, unseen, values } = programCallers(unit, fn);
  const [first, ...others] = unseen !== undefined || values.length > 0 ? [] : calls.map((c) => engineAt(c.unit, c.call, depth - 1));
  return first !== undefined && others.every((o) => o?.group === first.group) ? { ...first, exclusive: first.exclusive && others.every((o) => o?.exclusive === true), key: undefined } : undefined;
}

function engineAround(unit: Unit, node: ts.Node): SerialEngine | undefined {
  const { ts } = unit;
  let alone = false;
  for (let n: ts.Node = node; !ts.isSourceFile(n); n = n.parent) {
    if (ts.isCallExpression(n) && calledName(unit, n) === 'blockConcurrencyWhile') alone = true;
    if (ts.isClassLike(n)) return classEngine(unit, n, alone);
    if (!ts.isFunctionLike(n)) continue;
    const found = handlerOfObject(unit, n) ?? singleton(unit, n) ?? workflow(unit, n);
    if (found !== undefined) return found;
  }
  return undefined;
}

const CLASSES: readonly { readonly base: RegExp; readonly from: RegExp; readonly name: SerialEngine['name']; readonly exclusive: boolean; readonly key: RegExp }[] = [
  // While it awaits what is not its own storage, the next request comes in.
  { base: /^DurableObject$/, from: /^cloudflare:workers$/, name: 'Durable Object', exclusive: false, key: /^this\./ },
  { base: /^(?:Agent|AIChatAgent)$/, from: /^agents(?:\/|$)/, name: 'Durable Object', exclusive: false, key: /^this\./ },
  { base: /^AbstractActor$/, from: /^@dapr\/dapr$/, name: 'Dapr actor', exclusive: true, key: /\bgetActorId\(/ },
];

function classEngine(unit: Unit, node: ts.ClassLikeDeclaration, alone: boolean): SerialEngine | undefined {
  const { ts } = unit;
  for (const { expression } of (node.heritageClauses ?? []).flatMap((h) => [...h.types])) {
    const base = bare(unit, expression);
    const source = ts.isIdentifier(base) ? importSource(unit, base) : undefined;
    // `implements DurableObject`: a type of the platform that nobody imports.
    const isGlobal = ts.isIdentifier(base) && base.text === 'DurableObject' && unit.scopes.resolve(base) === undefined;
    const found = CLASSES.find((c) => (source !== undefined && c.base.test(source.name) && c.from.test(source.from)) || (isGlobal && c.name === 'Durable Object'));
    if (found !== undefined) return { group: node, unit, name: found.name, exclusive: found.exclusive || alone, key: found.key };
  }
  return undefined;
}

/** `restate.object({ handlers: { approve: async (ctx) => .. } })`, where a handler is not marked as shared. */
function handlerOfObject(unit: Unit, fn: ts.SignatureDeclaration): SerialEngine | undefined {
  const { ts } = unit;
  const [context] = fn.parameters;
  if (context === undefined || !ts.isIdentifier(context.name)) return undefined;
  const type = context.type?.getText(unit.file) ?? '';
  const object = objectOf(unit, fn);
  if (object === undefined || object === 'shared' || /Shared/.test(type)) return undefined;
  return { group: object, unit, name: 'Restate object', exclusive: true, key: new RegExp(`^${context.name.text}\\.key$`) };
}

/** The call of `object` that holds a function among its handlers, by itself or by its name. */
function objectOf(unit: Unit, fn: ts.SignatureDeclaration): ts.CallExpression | 'shared' | undefined {
  const { ts } = unit;
  let use: ts.Node = fn;
  if (ts.isVariableDeclaration(fn.parent) || ts.isFunctionDeclaration(fn)) {
    const name = ts.isFunctionDeclaration(fn) ? fn.name : ts.isVariableDeclaration(fn.parent) ? fn.parent.name : undefined;
    const named = name !== undefined && ts.isIdentifier(name) ? handlerNamed(unit, name) : undefined;
    if (named === undefined) return undefined;
    use = named;
  }
  let isShared = false;
  for (let n = use; !ts.isSourceFile(n); n = n.parent) {
    if (n !== use && n !== fn && ts.isFunctionLike(n) && !ts.isMethodDeclaration(n)) return undefined;
    if (!ts.isCallExpression(n)) continue;
    const name = calledName(unit, n);
    if (name === 'shared') isShared = true;
    if (name === 'object' && isFrom(unit, n, /^@restatedev\//)) return isShared ? 'shared' : n;
  }
  return undefined;
}

/** The property under `handlers` that is this name. */
function handlerNamed(unit: Unit, name: ts.Identifier): ts.Node | undefined {
  const { ts } = unit;
  const mentionsOnly = (e: ts.Expression): boolean => {
    const value = bare(unit, e);
    return ts.isCallExpression(value) ? value.arguments.some((a) => mentionsOnly(a)) : ts.isIdentifier(value) && value.text === name.text;
  };
  const isNamed = (p: ts.ObjectLiteralElementLike): boolean => (ts.isShorthandPropertyAssignment(p) ? p.name.text === name.text : ts.isPropertyAssignment(p) && mentionsOnly(p.initializer));
  const found = handlersIn(unit).map((object) => object.properties.find(isNamed)).find((p) => p !== undefined);
  return found === undefined || !ts.isPropertyAssignment(found) || !ts.isCallExpression(found.initializer) ? found : found.initializer;
}

const handlers = new Kept<Unit, readonly ts.ObjectLiteralExpression[]>();

/** The objects under `handlers` of a file. */
function handlersIn(unit: Unit): readonly ts.ObjectLiteralExpression[] {
  const held = handlers.get(unit);
  if (held !== undefined) return held;
  const { ts } = unit;
  const found: ts.ObjectLiteralExpression[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isPropertyAssignment(n) && nameText(unit, n.name) === 'handlers' && ts.isObjectLiteralExpression(n.initializer)) found.push(n.initializer);
    ts.forEachChild(n, visit);
  };
  if (unit.says(/handlers/)) visit(unit.file);
  handlers.set(unit, found);
  return found;
}

function isFrom(unit: Unit, call: ts.CallExpression, module: RegExp): boolean {
  const { ts } = unit;
  let root: ts.Expression = bare(unit, call.expression);
  while (ts.isPropertyAccessExpression(root)) root = bare(unit, root.expression);
  const source = ts.isIdentifier(root) ? importSource(unit, root) : undefined;
  return source !== undefined && module.test(source.from);
}

/** `createFunction({ id, singleton: { key, mode } }, trigger, fn)`. `concurrency` counts steps, and two runs of one key take turns between theirs. */
function singleton(unit: Unit, fn: ts.SignatureDeclaration): SerialEngine | undefined {
  const { ts } = unit;
  const call = fn.parent;
  if (!ts.isCallExpression(call) || calledName(unit, call) !== 'createFunction' || call.arguments[0] === undefined) return undefined;
  const options = followed(unit, call.arguments[0]);
  const setting = ts.isObjectLiteralExpression(options) ? propertyOf(unit, options, 'singleton') : undefined;
  const object = setting && followed(unit, setting);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const key = propertyOf(unit, object, 'key');
  const text = key && followed(unit, key);
  const path = text !== undefined && ts.isStringLiteralLike(text) && /^[\w.]+$/.test(text.text) ? new RegExp(`(?:^|\\.)${text.text.replaceAll('.', '\\.')}$`) : undefined;
  // A cancelled run ends its step first, and the next one does not wait for that.
  const mode = propertyOf(unit, object, 'mode');
  return { group: call, unit, name: 'Inngest singleton', exclusive: mode === undefined || !ts.isStringLiteralLike(mode) || mode.text !== 'cancel', key: key === undefined ? ANY : path };
}

/** Code of a workflow runs in one place at a time; its signals come in while it awaits. What it calls through `proxyActivities` runs elsewhere, and may run twice. */
function workflow(unit: Unit, fn: ts.SignatureDeclaration): SerialEngine | undefined {
  const { ts } = unit;
  if (!ts.isFunctionDeclaration(fn) || fn.modifiers?.some((m) => m.kind === ts.SyntaxKind.ExportKeyword) !== true) return undefined;
  const imports = moduleHead(unit).imports.some((s) => ts.isStringLiteral(s.moduleSpecifier) && s.moduleSpecifier.text === '@temporalio/workflow' && !/^import\s+type\b/.test(s.getText(unit.file)));
  return imports ? { group: fn, unit, name: 'Temporal workflow', exclusive: false, key: undefined } : undefined;
}
