import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { importSource } from '../operations/import-source.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, enclosingFunction, followed, isFunctionWithBody, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { fileNodes } from '../syntax/file-nodes.js';
import type { Unit } from '../syntax/unit.js';
import { termMilliseconds } from './duration.js';

/** The time for which a queue leaves a job to the worker that took it, and then gives it to the next one. */
export interface JobLease {
  readonly unit: Unit;
  /** Where the worker, or the taking of the job, stands in the code. */
  readonly node: ts.CallExpression | ts.NewExpression | ts.ClassLikeDeclaration;
  readonly api: string;
  /** The option that sets the time, as it is spelled. */
  readonly option: string;
  readonly ttlMs: number;
  /** The code sets it, or switches the renewal off; else it is the library's own. */
  readonly isSet: boolean;
  /** The code that runs the job, and where in it the job is held. */
  readonly work: ts.Node;
  readonly from: number;
  /** The library renews by itself for as long as the process answers. `everyMs`: so often, where the code says. */
  readonly renews: { readonly everyMs: number | undefined } | undefined;
  /** The library ends the work itself after this time. */
  readonly capMs: number | undefined;
  /** Calls by which the work renews on its own. */
  readonly renewal: RegExp;
}

const QUEUES = /bullmq|pg-boss|agenda|sqs/;
const SECOND = 1000;

/** The job leases of a file, where the code tells how long they last and what runs under them. */
export function jobLeases(unit: Unit): JobLease[] {
  const { ts } = unit;
  if (!QUEUES.test(unit.file.text)) return [];
  const found: JobLease[] = [];
  for (const n of fileNodes(unit).all) {
    const lease = ts.isNewExpression(n) ? bullWorker(unit, n) : ts.isCallExpression(n) ? bossWork(unit, n) ?? agendaJob(unit, n) ?? sqsConsumer(unit, n) ?? sqsReceive(unit, n) : ts.isClassLike(n) ? nestProcessor(unit, n) : undefined;
    if (lease !== undefined) found.push(lease);
  }
  return found;
}

type Options = ts.ObjectLiteralExpression | undefined;

function bullWorker(unit: Unit, node: ts.NewExpression): JobLease | undefined {
  const [, processor, options] = node.arguments ?? [];
  const work = processor && functionOf(unit, processor);
  if (work === undefined || !isImported(unit, node.expression, /^Worker$/, /^bullmq(?:-pro)?$/)) return undefined;
  return bull(unit, node, 'Worker', work, options);
}

/** `@Processor('steps', { lockDuration })` of a class with `process`. */
function nestProcessor(unit: Unit, node: ts.ClassLikeDeclaration): JobLease | undefined {
  const { ts } = unit;
  const decorator = (ts.canHaveDecorators(node) ? ts.getDecorators(node) ?? [] : []).map((d) => bare(unit, d.expression)).find((e): e is ts.CallExpression => ts.isCallExpression(e) && isImported(unit, e.expression, /^Processor$/, /^@nestjs\/bullmq$/));
  const work = node.members.find((m): m is ts.MethodDeclaration => ts.isMethodDeclaration(m) && nameText(unit, m.name) === 'process');
  if (decorator === undefined || work?.body === undefined) return undefined;
  return bull(unit, node, 'Processor', work, decorator.arguments.find((a) => ts.isObjectLiteralExpression(followed(unit, a)) && a !== decorator.arguments[0]) ?? decorator.arguments[1]);
}

/** BullMQ renews every half of the time by itself, unless it is told not to. */
function bull(unit: Unit, node: JobLease['node'], api: string, work: ts.Node, given: ts.Expression | undefined): JobLease | undefined {
  const options = given === undefined ? undefined : objectOf(unit, given);
  // Options of elsewhere may say anything.
  if (given !== undefined && (options === undefined || hasSpread(unit, options))) return undefined;
  const ttlMs = msOf(unit, options, 'lockDuration', 1, 30_000);
  const off = valueOf(unit, options, 'skipLockRenewal');
  if (ttlMs === undefined || (off !== undefined && off.kind !== unit.ts.SyntaxKind.TrueKeyword && off.kind !== unit.ts.SyntaxKind.FalseKeyword)) return undefined;
  const isOff = off?.kind === unit.ts.SyntaxKind.TrueKeyword;
  const renews = isOff ? undefined : { everyMs: msOf(unit, options, 'lockRenewTime', 1, undefined) };
  return { unit, node, api, option: 'lockDuration', ttlMs, isSet: isOff || valueOf(unit, options, 'lockDuration') !== undefined || renews?.everyMs !== undefined, work, from: work.pos, renews, capMs: undefined, renewal: /^extendLocks?$/ };
}

/** `boss.work(name, fn)`: what the job lasts is said where the queue is made or the job is sent. */
function bossWork(unit: Unit, node: ts.CallExpression): JobLease | undefined {
  const { ts } = unit;
  if (calledName(unit, node) !== 'work' || !isOn(unit, node, /^pg-boss$/)) return undefined;
  const [name] = node.arguments;
  const handler = node.arguments.at(-1);
  const work = handler && functionOf(unit, handler);
  if (name === undefined || work === undefined) return undefined;
  const queue = termOf(unit, name);
  const said: { readonly option: string; readonly ms: number }[] = [];
  const visit = (n: ts.Node): void => {
    if (ts.isCallExpression(n) && /^(?:createQueue|send|sendAfter|sendOnce|sendSingleton|sendThrottled|sendDebounced|schedule|insert)$/.test(calledName(unit, n)) && isOn(unit, n, /^pg-boss$/)) {
      const [first] = n.arguments;
      if (first !== undefined && sameTerm(termOf(unit, first), queue)) for (const a of n.arguments.slice(1)) collect(objectOf(unit, a));
    }
    ts.forEachChild(n, visit);
  };
  visit(unit.file);
  const shortest = [...said].sort((a, b) => a.ms - b.ms)[0];
  // The queue may be made elsewhere, with another time than the default.
  if (shortest === undefined) return undefined;
  return {
    unit, node, api: 'work', option: shortest.option, ttlMs: shortest.ms, isSet: true, work, from: work.pos, renews: undefined, capMs: undefined, renewal: /^touch$/,
  };

  function collect(options: Options): void {
    // A job that is never tried again is given to nobody else.
    if (options === undefined || valueOf(unit, options, 'retryLimit')?.getText(unit.file) === '0') return;
    for (const [option, scale] of [['expireInSeconds', SECOND], ['expireInMinutes', 60 * SECOND], ['expireInHours', 3600 * SECOND]] as const) {
      const ms = msOf(unit, options, option, scale, undefined);
      if (ms !== undefined) said.push({ option, ms });
    }
  }
}

/** `agenda.define(name, fn, { lockLifetime })`, or with the options before the function. */
function agendaJob(unit: Unit, node: ts.CallExpression): JobLease | undefined {
  if (calledName(unit, node) !== 'define' || !isOn(unit, node, /^(?:@hokify\/)?agenda$/)) return undefined;
  const rest = node.arguments.slice(1);
  const work = rest.flatMap((a) => functionOf(unit, a) ?? [])[0];
  const options = rest.flatMap((a) => objectOf(unit, a) ?? [])[0];
  if (work === undefined || (options !== undefined && hasSpread(unit, options))) return undefined;
  const own = msOf(unit, options, 'lockLifetime', 1, undefined);
  // The default may be set wherever the agenda is made.
  if (own === undefined) return undefined;
  return { unit, node, api: 'define', option: 'lockLifetime', ttlMs: own, isSet: true, work, from: work.pos, renews: undefined, capMs: undefined, renewal: /^touch$/ };
}

/** `Consumer.create({ visibilityTimeout, heartbeatInterval, handleMessage })` of sqs-consumer; both in seconds. */
function sqsConsumer(unit: Unit, node: ts.CallExpression): JobLease | undefined {
  const { ts } = unit;
  const callee = bare(unit, node.expression);
  if (!ts.isPropertyAccessExpression(callee) || callee.name.text !== 'create' || !isImported(unit, callee.expression, /^Consumer$/, /sqs-consumer$/)) return undefined;
  const options = node.arguments[0] && objectOf(unit, node.arguments[0]);
  const ttlMs = options && msOf(unit, options, 'visibilityTimeout', SECOND, undefined);
  if (options === undefined || ttlMs === undefined || hasSpread(unit, options)) return undefined;
  const method = options.properties.find((p): p is ts.MethodDeclaration => ts.isMethodDeclaration(p) && /^handleMessage(?:Batch)?$/.test(nameText(unit, p.name)));
  const handler = valueOf(unit, options, 'handleMessage') ?? valueOf(unit, options, 'handleMessageBatch');
  const work = method ?? (handler && functionOf(unit, handler));
  if (work === undefined) return undefined;
  const beat = valueOf(unit, options, 'heartbeatInterval');
  return {
    unit, node, api: 'Consumer.create', option: 'visibilityTimeout', ttlMs, isSet: true, work, from: work.pos, renews: beat === undefined ? undefined : { everyMs: msOf(unit, options, 'heartbeatInterval', SECOND, undefined) },
    capMs: msOf(unit, options, 'handleMessageTimeout', 1, undefined), renewal: /^(?:ChangeMessageVisibility\w*|changeMessageVisibility\w*)$/,
  };
}

/** `new ReceiveMessageCommand({ VisibilityTimeout: 30 })`, `sqs.receiveMessage({ .. })`: what its function awaits afterwards runs under it. */
function sqsReceive(unit: Unit, node: ts.CallExpression): JobLease | undefined {
  const { ts } = unit;
  const [first] = node.arguments;
  const made = first && followed(unit, first);
  const command = made !== undefined && ts.isNewExpression(made) && isImported(unit, made.expression, /^ReceiveMessageCommand$/, /^@aws-sdk\/client-sqs$/) ? made.arguments?.[0] : undefined;
  const direct = calledName(unit, node) === 'receiveMessage' && isOn(unit, node, /^(?:@aws-sdk\/client-sqs|aws-sdk)$/) ? first : undefined;
  const given = command ?? direct;
  const options = given && objectOf(unit, given);
  const ttlMs = options && msOf(unit, options, 'VisibilityTimeout', SECOND, undefined);
  const work = enclosingFunction(unit, node);
  if (ttlMs === undefined || ts.isSourceFile(work)) return undefined;
  return { unit, node, api: 'ReceiveMessage', option: 'VisibilityTimeout', ttlMs, isSet: true, work, from: node.end, renews: undefined, capMs: undefined, renewal: /^(?:send)?ChangeMessageVisibility\w*$|^changeMessageVisibility\w*$/ };
}

function functionOf(unit: Unit, value: ts.Expression): ts.FunctionLikeDeclaration | undefined {
  const { ts } = unit;
  const e = followed(unit, value);
  if (ts.isArrowFunction(e) || ts.isFunctionExpression(e)) return e;
  const declared = ts.isIdentifier(e) ? unit.scopes.resolve(e)?.declaration : undefined;
  return declared !== undefined && isFunctionWithBody(unit, declared) ? declared : undefined;
}

function objectOf(unit: Unit, value: ts.Expression): Options {
  const e = followed(unit, value);
  return unit.ts.isObjectLiteralExpression(e) ? e : undefined;
}

function hasSpread({ ts }: Unit, options: ts.ObjectLiteralExpression): boolean {
  return options.properties.some((p) => ts.isSpreadAssignment(p));
}

function valueOf(unit: Unit, options: Options, name: string): ts.Expression | undefined {
  const value = options && propertyOf(unit, options, name);
  return value && followed(unit, value);
}

/** Milliseconds of an option; `absent` where it is not set, undefined where it is no constant. */
function msOf(unit: Unit, options: Options, name: string, scale: number, absent: number | undefined): number | undefined {
  const value = options && propertyOf(unit, options, name);
  return value === undefined ? absent : termMilliseconds(termOf(unit, value), scale);
}

function isImported(unit: Unit, callee: ts.Expression, name: RegExp, from: RegExp): boolean {
  const { ts } = unit;
  const e = bare(unit, callee);
  const root = ts.isPropertyAccessExpression(e) ? bare(unit, e.expression) : e;
  const source = ts.isIdentifier(root) ? importSource(unit, root) : undefined;
  if (source === undefined || !from.test(source.from)) return false;
  return ts.isPropertyAccessExpression(e) ? name.test(e.name.text) : name.test(source.name);
}

/** The object a method is called on comes from a package, by its declared type or by what it is made of. */
function isOn(unit: Unit, call: ts.CallExpression, from: RegExp): boolean {
  const callee = bare(unit, call.expression);
  if (!unit.ts.isPropertyAccessExpression(callee)) return false;
  const type = present(typeOf(unit, callee.expression));
  return type.kind === 'named' && type.from !== undefined && from.test(type.from);
}
