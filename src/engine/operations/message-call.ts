import type ts from 'typescript';
import { parseSql } from '../embedded/sql-parse.js';
import { typeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import { normalised } from '../syntax/snake-case.js';
import type { Unit } from '../syntax/unit.js';
import { chainOf, declaredType, importsPackage, lastSegment, textOf, typeArgument, typeName, type Chain } from './access-orm-chain.js';
import { sqlRunOf } from './access-sql-run.js';
import type { AccessNode } from './state-access.js';

/**
 * A call that tells others of something that happened. `job`: a message that a worker takes up. `event`: listeners and subscribers get it. `row`: a row of events, of an outbox
 * or of a history, in a database that can put it into a transaction.
 */
export interface MessageCall {
  readonly kind: 'job' | 'event' | 'row';
  readonly node: AccessNode;
  /** For rows: the expression the statement runs on, where the code shows it. */
  readonly client: ts.Expression | undefined;
  /** For rows: the table or model. */
  readonly table: string | undefined;
  /** For rows of MongoDB, which join a transaction by the session they name: whether this one names one. Absent for other stores. */
  readonly session?: boolean;
}

const EVENT_TABLE = /(?:^|_)(?:events?|outbox|outboxes|history|histories|transitions?|event_logs?|state_logs?|status_logs?|journal|outbox_messages?)$/;
const QUEUE = /(?:q|Q)ueues?\d*$|^(?:boss|agenda|jobs)$|[bB]oss$/;
const BUS = /^(?:bus|events?|emitter|broker|producer|publisher|pubsub|kafka|nats|sns|sqs|hub)$|(?:Bus|Emitter|Broker|Producer|Publisher|PubSub|Pubsub|Events|Topic)$/;
const JOB_VERB = /^(?:add|addBulk|addJob|enqueue|enqueueMany|schedule|now|send|sendMessage|publish|dispatch|trigger|batchTrigger|createJob|insert|sendToQueue|push)$/;
const EVENT_VERB = /^(?:emit|emitAsync|publish|send|sendBatch|sendMessage|broadcast|dispatch|produce|notify|fire|trigger|raise)$/;
/** Verbs that only brokers, streams and queues have, on whatever they are called. */
const BROKER_VERB = /^(?:sendToQueue|xadd|xAdd|addJob|quickAddJob|publishMessage|publishEvent|publishAll)$/;
const BROKER = /redis|broker|channel|nats|mqtt|sqs|sns|kafka|pubsub|producer|publisher|client$/i;
const PLAIN = /^(?:enqueue(?:[A-Z]\w*)?|addJob|sendToQueue|(?:publish|emit|dispatch|broadcast|queue|produce)[A-Z]\w*|send[A-Z]\w*(?:Event|Message|Job|Task)s?)$/;
const PLAIN_EVENT = /^(?:publish|emit|broadcast|produce|dispatch)|(?:Event|Message)s?$/;

/** What a call tells, by its own spelling. */
export function messageCall(unit: Unit, node: ts.CallExpression | ts.TaggedTemplateExpression): MessageCall | undefined {
  const run = sqlRunOf(unit, node);
  if (run !== undefined) {
    const insert = parseSql(run.text.parts).find((s) => s.type === 'insert');
    return insert?.type === 'insert' && isEventTable(insert.table) ? { kind: 'row', node, client: run.client, table: insert.table } : undefined;
  }
  if (!unit.ts.isCallExpression(node)) return undefined;
  const chain = chainOf(unit, node);
  if (chain === undefined) return undefined;
  return insertedRow(chain) ?? sent(chain);
}

function isEventTable(name: string): boolean {
  return EVENT_TABLE.test(normalised(name.slice(name.lastIndexOf('.') + 1)).replace(/_(?:entity|model|record|row|table|repository|repo|store|collection|schema)$/, ''));
}

/** `prisma.runEvent.create(..)`, `db.insert(runEvents).values(..)`, `knex('run_events').insert(..)`, `this.outboxRepository.insert(..)`. */
function insertedRow({ unit, call, steps, last }: Chain): MessageCall | undefined {
  const { ts } = unit;
  const row = (client: ts.Expression | undefined, table: string | undefined): MessageCall | undefined => (table !== undefined && isEventTable(table) ? { kind: 'row', node: call, client, table } : undefined);
  const start = steps.find((s) => s.name === 'insert' || s.name === 'insertInto');
  if (start?.receiver !== undefined && steps.length > 1) {
    const [into] = start.args;
    const named = steps[0].receiver === undefined && steps[0] !== start ? undefined : into && (textOf(unit, into) ?? lastSegment(unit, into));
    if (named !== undefined) return row(start.receiver, named);
  }
  const document = documentInserted(unit, call, steps);
  if (document !== undefined) return isEventTable(document.table) ? { kind: 'row', node: call, client: document.client, table: document.table, session: namesSession(call) } : undefined;
  const [root] = steps;
  if (root.receiver === undefined && steps.length > 1 && steps.some((s) => s.name === 'insert')) return row(root.call.expression, textOf(unit, root.args[0]));
  if (steps.length !== 1 || last.receiver === undefined || !/^(?:create|createMany|createManyAndReturn|insert|insertMany|insertOne|save|append|bulkCreate)$/.test(last.name)) return undefined;
  const on = bare(unit, last.receiver);
  const model = lastSegment(unit, on);
  // `manager.insert(RunEvent, {..})`
  const [entity] = last.args;
  const byEntity = entity !== undefined && last.args.length > 1 && (ts.isIdentifier(entity) || ts.isStringLiteralLike(entity)) ? textOf(unit, entity) ?? lastSegment(unit, entity) : undefined;
  if (byEntity !== undefined && isEventTable(byEntity)) return row(on, byEntity);
  const isDelegate = ts.isPropertyAccessExpression(on) && on.expression.kind !== ts.SyntaxKind.ThisKeyword && /^create|AndReturn$/.test(last.name);
  if (isDelegate) return row(on.expression, model);
  if (/^(?:Repository|Model)$/.test(typeName(unit, declaredType(unit, on)) ?? '')) return row(on, typeArgument(unit, declaredType(unit, on)) ?? model);
  // An in-process bus is called `events` too.
  return /repo(?:sitory)?$|store$|outbox|history$|journal$/i.test(model ?? '') ? row(undefined, model) : undefined;
}

/** `db.collection('outbox').insertOne(..)`, and `RunEvent.create(..)` of a mongoose model. */
function documentInserted(unit: Unit, call: ts.CallExpression, steps: Chain['steps']): { readonly client: ts.Expression | undefined; readonly table: string } | undefined {
  const [first, second] = steps;
  const into = first.args[0];
  if (second !== undefined && steps.length === 2 && first.name === 'collection' && /^insert(?:One|Many)$/.test(second.name)) {
    const table = into === undefined || unit.ts.isSpreadElement(into) ? undefined : textOf(unit, into) ?? lastSegment(unit, into);
    return table === undefined ? undefined : { client: first.receiver, table };
  }
  const model = steps.length === 1 && first.receiver !== undefined ? bare(unit, first.receiver) : undefined;
  if (model === undefined || !unit.ts.isIdentifier(model) || !/^[A-Z]/.test(model.text) || !/^(?:create|insertMany)$/.test(first.name) || !importsPackage(unit, /^(?:mongoose|@nestjs\/mongoose)$/)) return undefined;
  return { client: model, table: model.text };
}

/** `{ session }` among the arguments. */
export function namesSession(call: ts.CallExpression): boolean {
  return call.arguments.some((a) => /\bsession\b/i.test(a.getText()));
}

function sent({ unit, call, steps, last }: Chain): MessageCall | undefined {
  const message = (kind: 'job' | 'event'): MessageCall => ({ kind, node: call, client: undefined, table: undefined });
  if (last.receiver === undefined) return steps.length === 1 && PLAIN.test(last.name) && call.arguments.length > 0 && !isPartOfValue(unit, call) ? message(PLAIN_EVENT.test(last.name) ? 'event' : 'job') : undefined;
  if (call.arguments.length === 0) return undefined;
  const owner = ownerName(unit, last.receiver);
  const type = typeOf(unit, last.receiver);
  const named = type.kind === 'named' || type.kind === 'object' ? type.name ?? '' : '';
  if (JOB_VERB.test(last.name) && (QUEUE.test(owner) || /Queue$|^PgBoss$/.test(named)) && !isInMemory(unit, last.receiver, last.name)) return message('job');
  if (BROKER_VERB.test(last.name)) return message(/addJob|AddJob|sendToQueue/.test(last.name) ? 'job' : 'event');
  if (last.name === 'publish' && call.arguments.length > 1 && BROKER.test(owner)) return message('event');
  if (/^(?:trigger|batchTrigger)$/.test(last.name) && owner === 'tasks') return message('job');
  if (/^send(?:Message(?:Batch)?)?$/.test(last.name) && /sqs|sns|eventBridge/i.test(owner)) return message('event');
  // An event of Inngest is what starts its functions.
  if (last.name === 'send' && owner === 'inngest') return message('job');
  if (EVENT_VERB.test(last.name) && (BUS.test(owner) || /^EventEmitter2?$|EventBus$|Emitter$/.test(named))) return message('event');
  return PLAIN.test(last.name) && last.name !== 'emit' && (last.receiver.kind === unit.ts.SyntaxKind.ThisKeyword || BUS.test(owner) || QUEUE.test(owner)) ? message(PLAIN_EVENT.test(last.name) ? 'event' : 'job') : undefined;
}

/** `{ ...publishFields(user) }`: what is built into a value on the spot, and not waited for, is a part of it. */
function isPartOfValue({ ts }: Unit, call: ts.CallExpression): boolean {
  const p = call.parent;
  return ts.isSpreadAssignment(p) || ts.isSpreadElement(p) || ts.isPropertyAssignment(p) || ts.isPropertyAccessExpression(p) || ts.isTemplateSpan(p) || ts.isBinaryExpression(p);
}

function ownerName(unit: Unit, receiver: ts.Expression): string {
  const e = bare(unit, receiver);
  if (unit.ts.isCallExpression(e)) return lastSegment(unit, e.expression) ?? '';
  return lastSegment(unit, e) ?? '';
}

/** `queue.push(node)` of a search in memory. */
function isInMemory(unit: Unit, receiver: ts.Expression, verb: string): boolean {
  if (verb === 'push' || verb === 'insert') return !importsPackage(unit, /^(?:bull|bullmq|bee-queue|pg-boss|graphile-worker|agenda|fastq|better-queue)$/);
  const type = typeOf(unit, receiver);
  return type.kind === 'array' || type.kind === 'tuple' || (type.kind === 'named' && type.from === undefined && /^(?:Set|Map|WeakSet|Array)$/.test(type.name));
}
