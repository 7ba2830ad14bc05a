import type ts from 'typescript';
import { callersOf } from '../functions/callers.js';
import { importTarget } from '../syntax/declared-import.js';
import { functionName } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Entry } from './actor-entry.js';

/** Packages that declare the types below. */
const QUEUES = /^(?:bullmq|bull|bee-queue|pg-boss|graphile-worker|agenda|@hokify\/agenda|amqplib|kafkajs|@aws-sdk\/client-sqs|sqs-consumer|aws-lambda|@google-cloud\/pubsub|@azure\/service-bus|@cloudflare\/workers-types|nats)(?:$|\/)/;
/** What a queue hands to its worker. */
const HANDED = /^(?:(?:Sandboxed)?Job|JobWithMetadata|ConsumeMessage|EachMessagePayload|EachBatchPayload|SQSEvent|SQSRecord|MessageBatch|ServiceBusReceivedMessage|JobHelpers|JsMsg|KafkaMessage)$/;
/** The worker itself. */
const WORKER = /^(?:Processor|WorkHandler|Task|ProcessCallbackFunction|ProcessPromiseFunction|SQSHandler|EachMessageHandler)$/;
const CLOCK = /^(?:ScheduledEvent|ScheduledController|ScheduledHandler|EventBridgeEvent)$/;

/** How a function is entered by the types it declares: `async (job: Job<Data>) => ..`, `const work: Processor = ..`, where a queue's package declares them. */
export function typedEntry(unit: Unit, fn: ts.FunctionLikeDeclaration): Entry | undefined {
  const { ts } = unit;
  const label = functionName(unit, fn);
  const own = ts.isVariableDeclaration(fn.parent) || ts.isPropertyDeclaration(fn.parent) ? typeName(unit, fn.parent.type) : undefined;
  if (own !== undefined && WORKER.test(own)) return { kind: 'queue', label };
  if (own !== undefined && CLOCK.test(own)) return { kind: 'cron', label };
  const handed = fn.parameters.slice(0, 2).flatMap((p) => typeName(unit, p.type) ?? []);
  if (handed.some((name) => CLOCK.test(name))) return { kind: 'cron', label };
  // A helper gets the job handed on; the one that nobody here calls is nearer to the queue.
  return handed.some((name) => HANDED.test(name)) && callersOf(unit, fn).calls.length === 0 ? { kind: 'queue', label } : undefined;
}

/** The name of a type that a queue's package declares, or of the elements of a list of them. */
function typeName(unit: Unit, type: ts.TypeNode | undefined): string | undefined {
  const { ts } = unit;
  const t = type !== undefined && ts.isArrayTypeNode(type) ? type.elementType : type;
  if (t === undefined || !ts.isTypeReferenceNode(t)) return undefined;
  const name = t.typeName;
  const root = ts.isIdentifier(name) ? name : name.left;
  const binding = ts.isIdentifier(root) ? unit.scopes.resolve(root) : undefined;
  const target = binding?.kind === 'import' ? importTarget(unit, binding.declaration) : undefined;
  if (target?.kind !== 'package' || !QUEUES.test(target.from)) return undefined;
  return ts.isIdentifier(name) ? target.name : name.right.text;
}
