import { ABSENT, FREE, knows, MATCH, WON } from './lua-facts.js';
import { isReadCommand } from './lua-command.js';
import { readExpire, readSet, type LuaSet } from './lua-set.js';
import type { LuaEvent, LuaWalk } from './lua-walk.js';
import { sameRef } from './lua-value.js';

/**
 * What a command does to its key as a lock. `create`: takes a free key. `drop`: frees it. `keep`: gives it more time. `arm`: sets the TTL of a key just
 * created. `count`: a counter, never a lock. `write`: any other change. `look`: none.
 */
export type LuaRole = 'create' | 'drop' | 'keep' | 'arm' | 'count' | 'write' | 'look';

const COUNTERS: ReadonlySet<string> = new Set(['incr', 'incrby', 'decr', 'decrby', 'incrbyfloat']);
const DROPS: ReadonlySet<string> = new Set(['del', 'unlink', 'getdel']);
const HASH_WRITES: ReadonlySet<string> = new Set(['hset', 'hmset', 'hincrby', 'hsetnx']);
const OTHER_WRITES: ReadonlySet<string> = new Set(['hdel', 'getset', 'persist', 'append']);
const SILENT: ReadonlySet<string> = new Set(['publish', 'spublish', 'echo', 'ping']);

/** The role of a command; undefined for a command no lock script uses (lists, sorted sets, streams …). */
export function roleOf(walk: LuaWalk, event: LuaEvent): LuaRole | undefined {
  const { command } = event;
  if (isReadCommand(command) || SILENT.has(command)) {
    return 'look';
  }
  if (COUNTERS.has(command)) {
    return 'count';
  }
  if (DROPS.has(command)) {
    return 'drop';
  }
  if (OTHER_WRITES.has(command)) {
    return 'write';
  }
  if (HASH_WRITES.has(command)) {
    return takesFree(event) && hasExpire(walk, event) ? 'create' : 'write';
  }
  const set = readSet(event);
  return set === undefined ? expireRole(event) : setRole(walk, event, set);
}

function takesFree({ facts }: LuaEvent): boolean {
  return knows(facts, FREE) && !knows(facts, MATCH);
}

/** A hash is a lock only when it also ends by itself. */
function hasExpire(walk: LuaWalk, event: LuaEvent): boolean {
  return walk.events.some((other) => readExpire(other) !== undefined && sameRef(other.args[0], event.args[0]));
}

function expireRole(event: LuaEvent): LuaRole | undefined {
  const ttl = readExpire(event);
  if (ttl === undefined) {
    return undefined;
  }
  if (ttl.ref.kind === 'literal' && Number(ttl.ref.value) <= 0) {
    return 'drop';
  }
  return knows(event.facts, WON) || knows(event.facts, ABSENT) ? 'arm' : 'keep';
}

function setRole(walk: LuaWalk, event: LuaEvent, set: LuaSet): LuaRole | undefined {
  if (!set.clear) {
    return undefined;
  }
  if (set.nx || (takesFree(event) && !set.xx)) {
    return 'create';
  }
  const sameOwner = walk.matches.some((match) => sameRef(match.owner, set.value));
  if (knows(event.facts, MATCH)) {
    return sameOwner || (set.ttl !== undefined && set.value?.kind === 'other') ? 'keep' : 'write';
  }
  return set.xx && set.ttl !== undefined ? 'keep' : 'write';
}
