import type { LuaEvent } from './lua-walk.js';
import type { LuaRef, LuaScript } from './lua-types.js';

type Ttl = NonNullable<LuaScript['ttl']>;

/** What a SET, SETNX, SETEX or PSETEX asks for. `clear` is false when an option is not literal, so that NX or a TTL may be missed. */
export interface LuaSet {
  readonly value: LuaRef | undefined;
  readonly nx: boolean;
  readonly xx: boolean;
  readonly clear: boolean;
  readonly ttl?: Ttl;
}

/** Reads the command as a string write; undefined for all others. */
export function readSet(event: LuaEvent): LuaSet | undefined {
  const [, second, third] = event.args;
  switch (event.command) {
    case 'set':
      return { value: second, ...readOptions(event.args.slice(2)) };
    case 'setnx':
      return { value: second, nx: true, xx: false, clear: true };
    case 'setex':
    case 'psetex':
      return {
        value: third, nx: false, xx: false, clear: true,
        ...(second === undefined ? {} : { ttl: { ref: second, unit: event.command === 'setex' ? 's' : 'ms' } }),
      };
    default:
      return undefined;
  }
}

const TTL_UNITS: Readonly<Record<string, Ttl['unit']>> = { ex: 's', px: 'ms', exat: 's', pxat: 'ms' };
const FLAGS: ReadonlySet<string> = new Set(['nx', 'xx', 'get', 'keepttl']);

function readOptions(options: readonly LuaRef[]): Omit<LuaSet, 'value'> {
  const flags = new Set<string>();
  let clear = true;
  let ttl: Ttl | undefined;
  for (let at = 0; at < options.length; at += 1) {
    const option = options[at];
    const word = option?.kind === 'literal' ? String(option.value).toLowerCase() : '';
    const unit = TTL_UNITS[word];
    const amount = options[at + 1];
    if (unit !== undefined && amount !== undefined) {
      ttl = { ref: word.endsWith('at') ? instant(amount) : amount, unit };
      at += 1;
    } else {
      flags.add(word);
      clear &&= FLAGS.has(word);
    }
  }
  return { nx: flags.has('nx'), xx: flags.has('xx'), clear, ...(ttl === undefined ? {} : { ttl }) };
}

/** A point in time is no length of time: callers must not read it as one. */
function instant(ref: LuaRef): LuaRef {
  return { kind: 'other', text: `at ${ref.kind === 'literal' ? String(ref.value) : ref.kind === 'other' ? ref.text : `${ref.kind} ${String(ref.index)}`}` };
}

/** The TTL an EXPIRE, PEXPIRE, EXPIREAT or PEXPIREAT sets; undefined for all others. */
export function readExpire(event: LuaEvent): Ttl | undefined {
  const amount = event.args[1];
  if (amount === undefined || !/^p?expire(?:at)?$/u.test(event.command)) {
    return undefined;
  }
  return { ref: event.command.endsWith('at') ? instant(amount) : amount, unit: event.command.startsWith('p') ? 'ms' : 's' };
}
