import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** A command that is sent to Redis, however the client spells it. */
export interface RedisCall {
  /** The command, in lower case. */
  readonly command: string;
  readonly args: readonly ts.Expression[];
  readonly receiver: ts.Expression;
}

/** Methods that take the command as their first argument, or as the first item of a list. */
const GENERIC = new Set(['call', 'sendCommand', 'customCommand', 'executeCommand', 'send_command', 'sendcommand']);

/** Reads `redis.set(..)`, `redis.call('SET', ..)`, `client.sendCommand(['SET', ..])`, `redis.sendCommand(new Command('SET', [..]))`. */
export function redisCall(unit: Unit, call: ts.CallExpression): RedisCall | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const method = callee.name.text;
  const receiver = callee.expression;
  if (!GENERIC.has(method)) return { command: method.toLowerCase(), args: call.arguments, receiver };
  const words = wordsOf(unit, call);
  const [first, ...args] = words;
  const name = first === undefined || ts.isSpreadElement(first) ? undefined : termOf(unit, first);
  if (name?.kind !== 'const' || typeof name.value !== 'string' || !/^[a-z]+$/i.test(name.value)) return undefined;
  return { command: name.value.toLowerCase(), args, receiver };
}

function wordsOf(unit: Unit, call: ts.CallExpression): readonly ts.Expression[] {
  const { ts } = unit;
  const [first, ...rest] = call.arguments;
  const e = first && bare(unit, first);
  if (e === undefined) return [];
  if (ts.isArrayLiteralExpression(e)) return e.elements;
  if (ts.isNewExpression(e)) return [...(e.arguments?.slice(0, 1) ?? []), ...itemsOf(e.arguments?.[1])];
  // `call('SET', [key, value])`
  return [e, ...(rest.length === 1 ? itemsOf(rest[0]) : rest)];

  function itemsOf(list: ts.Expression | undefined): readonly ts.Expression[] {
    const inner = list && bare(unit, list);
    if (inner === undefined) return [];
    return ts.isArrayLiteralExpression(inner) ? inner.elements : [inner];
  }
}
