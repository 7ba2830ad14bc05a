import type { LuaFacts } from './lua-facts.js';
import { isCallers, toRef, type LuaValue } from './lua-value.js';
import type { LuaWalk } from './lua-walk.js';

const READS: ReadonlySet<string> = new Set(['get', 'hget', 'hmget', 'hgetall', 'hvals', 'getex', 'json.get']);
const MEASURES: ReadonlySet<string> = new Set(['ttl', 'pttl', 'time', 'strlen', 'type', 'hlen', 'expiretime', 'pexpiretime']);

/** More commands than this are no lock script. */
const MAX_EVENTS = 200;

/** Records one redis.call and gives its answer. A command whose name is not literal makes the script opaque. */
export function runCommand(walk: LuaWalk, values: readonly LuaValue[], texts: readonly string[], facts: LuaFacts): LuaValue {
  const [name, ...rest] = values;
  if (walk.events.length >= MAX_EVENTS || name?.kind !== 'ref' || name.ref.kind !== 'literal' || typeof name.ref.value !== 'string') {
    walk.opaque = true;
    return { kind: 'unknown', text: texts[0] ?? '' };
  }
  const command = name.ref.value.toLowerCase();
  const args = rest.map((value, at) => toRef(value, texts[at + 1] ?? ''));
  walk.events.push({ command, args, facts });
  if (READS.has(command)) {
    return { kind: 'stored', key: args[0], direct: command === 'get' || command === 'hget' || command === 'getex' };
  }
  if (command === 'exists' || command === 'hexists') {
    const owner = command === 'hexists' && rest[1] !== undefined && isCallers(rest[1]) ? args[1] : undefined;
    return { kind: 'exists', key: args[0], ...(owner === undefined ? {} : { owner }) };
  }
  const nx = command === 'setnx' || command === 'hsetnx' || (command === 'set' && args.some((arg) => arg.kind === 'literal' && /^nx$/iu.test(String(arg.value))));
  return { kind: 'reply', command, nx };
}

/** Commands that only look. */
export function isReadCommand(command: string): boolean {
  return READS.has(command) || MEASURES.has(command) || command === 'exists' || command === 'hexists';
}
