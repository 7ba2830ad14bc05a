import type ts from 'typescript';
import { calledName } from '../flow/call-words.js';
import { bare, functionName, nameText, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Entry } from './actor-entry.js';

const HTTP = /^(?:Http)?(Get|Post|Put|Patch|Delete|All|Head|Options)(?:Mapping)?$/;
const GRAPH = /^(?:Mutation|Query|Subscription|ResolveField)$/;
const CLOCK = /^(?:Cron|Interval|Timeout|Schedule|Scheduled)$/;
const QUEUE = /^(?:Process|EventPattern|MessagePattern|SqsMessageHandler|RabbitSubscribe|RabbitRPC|KafkaListener|OnEvent|OnJob|JobHandler|Subscribe|SubscribeMessage|Consume|ActivityMethod)$/;

/** How a method is entered by its decorators, or those of its class (`@Processor` with its `process`). */
export function decoratedEntry(unit: Unit, fn: ts.FunctionLikeDeclaration): Entry | undefined {
  const { ts } = unit;
  if (!ts.isMethodDeclaration(fn) || !ts.isClassLike(fn.parent)) return undefined;
  for (const { name, text } of decorators(unit, fn)) {
    const verb = HTTP.exec(name)?.[1];
    if (verb !== undefined) return { kind: 'http', label: `${verb.toUpperCase()} ${joined(controller(unit, fn.parent), text)}` };
    if (GRAPH.test(name)) return { kind: 'http', label: `${name.toLowerCase()} ${nameText(unit, fn.name)}` };
    if (CLOCK.test(name)) return { kind: 'cron', label: functionName(unit, fn) };
    if (QUEUE.test(name)) return { kind: 'queue', label: text ?? classQueue(unit, fn.parent) ?? functionName(unit, fn) };
  }
  const isProcessor = nameText(unit, fn.name) === 'process' && (classQueue(unit, fn.parent) !== undefined || (fn.parent.heritageClauses ?? []).some((h) => /\bWorkerHost\b/.test(h.getText(unit.file))));
  return isProcessor ? { kind: 'queue', label: classQueue(unit, fn.parent) ?? functionName(unit, fn) } : undefined;
}

interface Decorated { readonly name: string; readonly text: string | undefined }

function decorators(unit: Unit, node: ts.MethodDeclaration | ts.ClassLikeDeclaration): readonly Decorated[] {
  const { ts } = unit;
  return (ts.getDecorators(node) ?? []).map((d) => {
    const e = bare(unit, d.expression);
    if (!ts.isCallExpression(e)) return { name: ts.isIdentifier(e) ? e.text : '', text: undefined };
    const first = e.arguments[0] && bare(unit, e.arguments[0]);
    const value = first !== undefined && ts.isObjectLiteralExpression(first) ? propertyOf(unit, first, 'path') ?? propertyOf(unit, first, 'name') : first;
    const text = value !== undefined && ts.isStringLiteralLike(value) ? value.text : value !== undefined && (ts.isIdentifier(value) || ts.isPropertyAccessExpression(value)) ? value.getText(unit.file) : undefined;
    return { name: calledName(unit, e), text };
  });
}

function controller(unit: Unit, owner: ts.ClassLikeDeclaration): string {
  return decorators(unit, owner).find((d) => /Controller$/.test(d.name))?.text ?? '';
}

function classQueue(unit: Unit, owner: ts.ClassLikeDeclaration): string | undefined {
  const found = decorators(unit, owner).find((d) => /^Processor$|Consumer$/.test(d.name));
  return found === undefined ? undefined : found.text ?? '';
}

function joined(base: string, path: string | undefined): string {
  const parts = [base, path ?? ''].flatMap((p) => p.split('/')).filter((p) => p !== '');
  return `/${parts.join('/')}`;
}
