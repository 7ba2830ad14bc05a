import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { bare, functionName, nameText, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { decoratedEntry } from './actor-decorators.js';
import { routeOfFile } from './actor-route.js';
import { typedEntry } from './actor-types.js';
import { Kept } from '../kept.js';

/** A place where code is entered from outside. */
export interface Entry {
  readonly kind: 'http' | 'queue' | 'cron';
  /** `POST /runs/:id/cancel`, the name of a queue or of a job; empty where the code does not say. */
  readonly label: string;
}

/** How a function itself is entered, by what it is decorated with, exported from, handed to, or does. */
export function entryOf(unit: Unit, fn: ts.FunctionLikeDeclaration): Entry | undefined {
  const held = known.get(fn);
  if (held !== undefined) return held.entry;
  const entry = findEntry(unit, fn);
  known.set(fn, { entry });
  return entry;
}

/** Many writes lead out through the same few functions. */
const known = new Kept<ts.Node, { readonly entry: Entry | undefined }>();

function findEntry(unit: Unit, fn: ts.FunctionLikeDeclaration): Entry | undefined {
  return decoratedEntry(unit, fn) ?? routeOfFile(unit, fn) ?? registered(unit, fn) ?? typedEntry(unit, fn) ?? (takesFromQueue(unit, fn) ? { kind: 'queue', label: functionName(unit, fn) } : undefined);
}

/** Wrappers around a handler are looked through this deep: `app.post(path, asyncHandler(withAuth(fn)))`. */
const WRAPPERS = 3;

/** What a function, or a name of it, is handed to. */
export function registered(unit: Unit, value: ts.Node, depth = 0): Entry | undefined {
  const { ts } = unit;
  let e = value;
  while (ts.isParenthesizedExpression(e.parent) || ts.isAsExpression(e.parent) || (ts.isPropertyAccessExpression(e.parent) && (e.parent.name === e || e.parent.name.text === 'bind'))) e = e.parent;
  if (ts.isCallExpression(e.parent) && e.parent.expression === e && ts.isPropertyAccessExpression(e) && e.name.text === 'bind') e = e.parent;
  const p = e.parent;
  if ((ts.isCallExpression(p) || ts.isNewExpression(p)) && p.arguments?.some((a) => a === e) === true) {
    return handedTo(unit, p, e) ?? (depth < WRAPPERS && ts.isCallExpression(p) ? registered(unit, p, depth + 1) : undefined);
  }
  if (ts.isPropertyAssignment(p) || ts.isShorthandPropertyAssignment(p) || (ts.isMethodDeclaration(e) && ts.isObjectLiteralExpression(p))) {
    const owner = ts.isMethodDeclaration(e) ? e : p;
    return ts.isMethodDeclaration(owner) || ts.isPropertyAssignment(owner) || ts.isShorthandPropertyAssignment(owner) ? keyed(unit, owner) : undefined;
  }
  return undefined;
}

const HTTP_VERB = /^(?:get|post|put|patch|delete|del|all|use|head|options)$/;
const HTTP_OBJECT = /(?:^|\.)(?:\w*[aA]pp|\w*[rR]outer|\w*[sS]erver|fastify|hono|api|route\w*)$|\brouter?\(|\.route\(/;
const QUEUE_CALL = /^(?:process|work|define|consume|subscribe|createWorker|addWorker|registerWorker|addHandler|registerHandler|registerProcessor|setHandler|handleJob|eachMessage|workflow|defineWorkflow|createStep|step|createFunction|task|schemaTask|queue)$/;
const QUEUE_CLASS = /(?:Worker|Consumer|Processor|Subscriber|Listener)$/;
const CLOCK_CALL = /^(?:setInterval|setIntervalAsync|scheduleJob|scheduleRecurring|cron|every|repeat|addCronJob|registerCron|createCron)$/;
const CLOCK_CLASS = /^(?:Cron|CronJob|Interval\w*|Job)$/;
/** Events by which a queue or a bus hands over work. */
const WORK_EVENT = /^(?:message|msg|job|task|event|work|notification)s?$/i;

function handedTo(unit: Unit, call: ts.CallExpression | ts.NewExpression, value: ts.Node): Entry | undefined {
  const { ts } = unit;
  const name = calledName(unit, call);
  const first = call.arguments?.[0];
  const text = first !== undefined && first !== value ? textOf(unit, first) : undefined;
  const callee = bare(unit, call.expression);
  const on = ts.isPropertyAccessExpression(callee) ? callee.expression.getText(unit.file) : '';
  if (ts.isNewExpression(call)) return QUEUE_CLASS.test(name) ? { kind: 'queue', label: text ?? '' } : CLOCK_CLASS.test(name) && text !== undefined ? { kind: 'cron', label: text } : undefined;
  if (HTTP_VERB.test(name) && (text?.startsWith('/') === true || HTTP_OBJECT.test(on)) && on !== '') return { kind: 'http', label: name === 'use' ? text ?? '' : `${name === 'del' ? 'DELETE' : name.toUpperCase()} ${text ?? routed(unit, callee)}`.trim() };
  if (name === 'createServer' || (name === 'serve' && on !== '')) return { kind: 'http', label: '' };
  if (/^(?:mutation|query|subscription)$/.test(name) && /[pP]rocedure|\bt\b|\.(?:input|use|output)\(/.test(on)) return { kind: 'http', label: `${name} ${keyAround(unit, call)}`.trim() };
  if (/^(?:action|handler)$/.test(name) && /[aA]ction\w*(?:\(|\.|$)|\.(?:schema|inputSchema|input)\(/.test(on)) return { kind: 'http', label: `action ${keyAround(unit, call)}`.trim() };
  if (CLOCK_CALL.test(name) || (name === 'schedule' && text !== undefined)) return { kind: 'cron', label: text ?? '' };
  if (name === 'createFunction') return { kind: (call.arguments?.some((a) => /\bcron\b/.test(a.getText(unit.file)) && a !== value)) ? 'cron' : 'queue', label: idOf(unit, first) };
  if (QUEUE_CALL.test(name) && (text !== undefined || on !== '')) return { kind: 'queue', label: text ?? idOf(unit, first) };
  if (/^(?:on|addListener|addEventListener)$/.test(name) && text !== undefined && WORK_EVENT.test(text)) return { kind: 'queue', label: text };
  return undefined;
}

/** A property that holds the function: a route table, the jobs of a worker, the handler of a route or task. */
function keyed(unit: Unit, property: ts.PropertyAssignment | ts.ShorthandPropertyAssignment | ts.MethodDeclaration): Entry | undefined {
  const { ts } = unit;
  const key = nameText(unit, property.name);
  if (/^(?:[A-Z]+ )?\/?[\w:[\]-]+\/[\w/:[\]{}-]+$/.test(key)) return { kind: 'http', label: key };
  const object = property.parent;
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  let e: ts.Node = object;
  let holder = '';
  while (ts.isObjectLiteralExpression(e.parent) || ts.isPropertyAssignment(e.parent) || ts.isAsExpression(e.parent) || ts.isSatisfiesExpression(e.parent) || ts.isParenthesizedExpression(e.parent)) {
    e = e.parent;
    if (ts.isPropertyAssignment(e) && holder === '') holder = nameText(unit, e.name);
  }
  const p = e.parent;
  if (ts.isVariableDeclaration(p) && holder === '') holder = nameText(unit, p.name);
  if (/^(?:handler|run|processor|perform|execute|eachMessage|eachBatch)$/.test(key) && ts.isCallExpression(p)) {
    const name = calledName(unit, p);
    const url = textAt(unit, object, ['url', 'path']);
    if (name === 'route' || url !== undefined) return { kind: 'http', label: `${textAt(unit, object, ['method']) ?? ''} ${url ?? ''}`.trim() };
    const isClock = /schedule|cron/i.test(p.expression.getText(unit.file)) || propertyOf(unit, object, 'cron') !== undefined;
    if (isClock || QUEUE_CALL.test(name) || /^each/.test(key)) return { kind: isClock ? 'cron' : 'queue', label: textAt(unit, object, ['id', 'name']) ?? '' };
  }
  if (/^routes?$/i.test(holder) || /Routes$/.test(holder)) return { kind: 'http', label: key };
  if (/^(?:taskList|jobs|jobHandlers|processors|workers|consumers|activities)$|(?:Jobs|JobHandlers|Processors|TaskList)$/.test(holder)) return { kind: 'queue', label: key };
  return ts.isNewExpression(p) && QUEUE_CLASS.test(calledName(unit, p)) ? { kind: 'queue', label: key } : undefined;
}

/** A loop that takes the next piece of work. */
function takesFromQueue(unit: Unit, fn: ts.FunctionLikeDeclaration): boolean {
  const { ts } = unit;
  if (fn.body === undefined) return false;
  const takes = (n: ts.Node): boolean => {
    if (ts.isFunctionLike(n)) return false;
    if (ts.isCallExpression(n) && TAKES.test(calledName(unit, n)) && ts.isPropertyAccessExpression(n.expression)) return true;
    return ts.forEachChild(n, (child) => (takes(child) ? true : undefined)) === true;
  };
  const loops = (n: ts.Node): boolean => {
    if (ts.isFunctionLike(n)) return false;
    if ((ts.isWhileStatement(n) || ts.isDoStatement(n) || (ts.isForStatement(n) && n.condition === undefined)) && takes(n.statement)) return true;
    return ts.forEachChild(n, (child) => (loops(child) ? true : undefined)) === true;
  };
  return loops(fn.body);
}

const TAKES = /^(?:take|pop|dequeue|receive|receiveMessages?|reserve|blpop|brpop|brPop|blPop|blmove|blMove|brpoplpush|xreadgroup|xReadGroup|nextJob|getNextJob|fetchNext\w*|claimNext\w*|poll|pull)$/;

/** `router.route('/steps').post(fn)` */
function routed(unit: Unit, callee: ts.Expression): string {
  const { ts } = unit;
  if (!ts.isPropertyAccessExpression(callee)) return '';
  const on = bare(unit, callee.expression);
  return ts.isCallExpression(on) ? textOf(unit, on.arguments[0]) ?? routed(unit, on.expression) : '';
}

function keyAround(unit: Unit, node: ts.Node): string {
  const { ts } = unit;
  for (let n = node.parent; !ts.isSourceFile(n) && !ts.isFunctionLike(n); n = n.parent) {
    if (ts.isPropertyAssignment(n) || ts.isVariableDeclaration(n)) return nameText(unit, n.name);
  }
  return '';
}

function idOf(unit: Unit, node: ts.Expression | undefined): string {
  if (node === undefined) return '';
  const e = bare(unit, node);
  return unit.ts.isObjectLiteralExpression(e) ? textAt(unit, e, ['id', 'name']) ?? '' : '';
}

function textAt(unit: Unit, object: ts.ObjectLiteralExpression, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(unit, propertyOf(unit, object, name));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A text in sight, or the name that stands for one. */
function textOf(unit: Unit, node: ts.Expression | undefined): string | undefined {
  const { ts } = unit;
  if (node === undefined) return undefined;
  const e = bare(unit, node);
  if (ts.isStringLiteralLike(e)) return e.text;
  return ts.isIdentifier(e) || ts.isPropertyAccessExpression(e) ? (ts.isIdentifier(e) ? e.text : e.name.text) : undefined;
}
