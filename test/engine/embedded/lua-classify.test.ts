import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyLua } from '../../../src/engine/embedded/lua-classify.js';
import type { LuaScript } from '../../../src/engine/embedded/lua-types.js';

const key1 = { kind: 'key', index: 1 } as const;
const arg1 = { kind: 'arg', index: 1 } as const;
const arg2 = { kind: 'arg', index: 2 } as const;

function facts(text: string): Partial<LuaScript> {
  const { calls: _, ...rest } = classifyLua(text);
  return rest;
}

describe('release', () => {
  const atomic = { kind: 'release', ownerCheck: 'atomic', recreates: false, reentrant: false, key: key1, owner: arg1 };
  it.each([
    ['one line', 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0'],
    ['no blanks', 'if redis.call("GET",KEYS[1]) == ARGV[1] then return redis.call("DEL",KEYS[1]) end return 0'],
    ['else', 'if redis.call(\'get\', KEYS[1]) == ARGV[1] then return redis.call(\'del\', KEYS[1]) else return 0 end'],
    ['unlink', '\nif redis.call("get", KEYS[1]) == ARGV[1] then\n  return redis.call("unlink", KEYS[1])\nend\nreturn 0'],
    ['argument first', 'if ARGV[1] == redis.call("get", KEYS[1]) then return redis.call("del", KEYS[1]) end'],
    ['early return', 'if redis.call("get",KEYS[1]) ~= ARGV[1] then return 0 end redis.call("del", KEYS[1]) return 1'],
    ['not equal by not', 'local v = redis.call("get",KEYS[1]) if not (v == ARGV[1]) then return 0 end return redis.call("del", KEYS[1])'],
    ['locals', 'local key = KEYS[1]\nlocal identifier = ARGV[1]\nif redis.call(\'get\', key) == identifier then\n return redis.call(\'del\', key)\nend\nreturn 0'],
    ['server.call', 'if server.call("get", KEYS[1]) == ARGV[1] then return server.call("del", KEYS[1]) end return 0'],
    ['and or', 'return redis.call("get", KEYS[1]) == ARGV[1] and redis.call("del", KEYS[1]) or 0'],
    ['alias', 'local call = redis.call if call("get", KEYS[1]) == ARGV[1] then call("del", KEYS[1]) end'],
    ['flag', 'local mine = redis.call("get", KEYS[1]) == ARGV[1] if mine then redis.call("del", KEYS[1]) end'],
    ['hash owner', 'if redis.call("hget", KEYS[1], "owner") == ARGV[1] then return redis.call("del", KEYS[1]) end return 0'],
    ['decoded owner', 'local v = redis.call("get", KEYS[1]) if not v then return 0 end local o = cjson.decode(v) if o.owner ~= ARGV[1] then return 0 end return redis.call("del", KEYS[1])'],
    ['absent or own', 'local v = redis.call("get", KEYS[1]) if v and v ~= ARGV[1] then return 0 end return redis.call("del", KEYS[1])'],
    ['own function', 'local function drop(k) return redis.call("del", k) end if redis.call("get", KEYS[1]) == ARGV[1] then return drop(KEYS[1]) end return 0'],
    ['other keys too', 'if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1]) redis.call("publish", KEYS[2], "free") return 1 end return 0'],
  ])('is checked: %s', (_, text) => {
    expect(facts(text)).toEqual(atomic);
  });

  it('follows redlock over all keys', () => {
    expect(facts(`
      local count = 0
      for i, key in ipairs(KEYS) do
        -- Only remove entries for *this* lock value.
        if redis.call("get", key) == ARGV[1] then
          redis.pcall("del", key)
          count = count + 1
        end
      end
      return count`)).toEqual(atomic);
  });

  it.each([
    ['bare', 'return redis.call("del", KEYS[1])'],
    ['exists only', 'if redis.call("exists", KEYS[1]) == 1 then redis.call("del", KEYS[1]) return 1 end return 0'],
    ['owner differs', 'if redis.call("get", KEYS[1]) ~= ARGV[1] then redis.call("del", KEYS[1]) end'],
    ['second delete unchecked', 'if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("del", KEYS[1]) end redis.call("del", KEYS[1])'],
  ])('is unchecked: %s', (_, text) => {
    expect(classifyLua(text)).toMatchObject({ kind: 'release', ownerCheck: 'none' });
  });

  it.each([
    ['pattern', 'local v = redis.call("get", KEYS[1]) if string.find(v, ARGV[1], 1, true) then redis.call("del", KEYS[1]) end'],
    ['flag of another branch', 'local ok = false if redis.call("get", KEYS[1]) == ARGV[1] then ok = true end if ok then redis.call("del", KEYS[1]) end'],
  ])('is unknown, never none: %s', (_, text) => {
    expect(classifyLua(text)).toMatchObject({ kind: 'release', ownerCheck: 'unknown' });
  });

  it('marks the guarded call', () => {
    const { calls } = classifyLua('if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) end return 0');
    expect(calls).toEqual([
      { command: 'get', args: [key1], underOwnerMatch: false, underAbsent: false },
      { command: 'del', args: [key1], underOwnerMatch: true, underAbsent: false },
    ]);
  });
});

describe('extend', () => {
  it.each([
    ['pexpire', 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("pexpire", KEYS[1], ARGV[2]) end return 0', 'ms'],
    ['expire', 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("expire", KEYS[1], ARGV[2]) end return 0', 's'],
    ['else', 'if redis.call(\'get\', KEYS[1]) == ARGV[1] then return redis.call(\'pexpire\', KEYS[1], ARGV[2]) else return 0 end', 'ms'],
    ['set xx', 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("set", KEYS[1], ARGV[1], "XX", "PX", ARGV[2]) end return 0', 'ms'],
    ['redlock', 'for i, key in ipairs(KEYS) do if redis.call("get", key) ~= ARGV[1] then return 0 end end for i, key in ipairs(KEYS) do redis.call("set", key, ARGV[1], "PX", ARGV[2]) end return #KEYS', 'ms'],
    ['counted loop', 'for i = 1, #KEYS do if redis.call("get", KEYS[i]) ~= ARGV[1] then return 0 end end for i = 1, #KEYS do redis.call("pexpire", KEYS[i], ARGV[2]) end', 'ms'],
    ['hash field', 'if (redis.call("hexists", KEYS[1], ARGV[1]) == 1) then redis.call("pexpire", KEYS[1], ARGV[2]); return 1; end; return 0;', 'ms'],
    ['redis-semaphore', 'local key = KEYS[1]\nlocal identifier = ARGV[1]\nlocal lockTimeout = ARGV[2]\nlocal value = redis.call(\'get\', key)\nif value == identifier then\n redis.call(\'pexpire\', key, lockTimeout)\n return 1\nend\nreturn 0', 'ms'],
  ])('is checked: %s', (_, text, unit) => {
    expect(facts(text)).toEqual({ kind: 'extend', ownerCheck: 'atomic', recreates: false, reentrant: false, key: key1, owner: arg1, ttl: { ref: arg2, unit } });
  });

  it('sees a lost lease revived', () => {
    expect(facts(`
      local v = redis.call("get", KEYS[1])
      if v == ARGV[1] then
        redis.call("pexpire", KEYS[1], ARGV[2])
        return 1
      elseif v == false then
        redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2])
        return 1
      end
      return 0`)).toEqual({ kind: 'extend', ownerCheck: 'atomic', recreates: true, reentrant: false, key: key1, owner: arg1, ttl: { ref: arg2, unit: 'ms' } });
  });

  it.each([
    'return redis.call("pexpire", KEYS[1], ARGV[1])',
    'if redis.call("exists", KEYS[1]) == 1 then return redis.call("expire", KEYS[1], 30) end return 0',
    'return redis.call("set", KEYS[1], ARGV[1], "XX", "PX", ARGV[2])',
  ])('is unchecked: %s', (text) => {
    expect(classifyLua(text)).toMatchObject({ kind: 'extend', ownerCheck: 'none' });
  });
});

describe('acquire', () => {
  it.each([
    ['set nx', 'if redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return 1 end return 0'],
    ['lower case, other order', 'return redis.call("set", KEYS[1], ARGV[1], "px", ARGV[2], "nx")'],
    ['setnx and expire', 'if redis.call("setnx", KEYS[1], ARGV[1]) == 1 then redis.call("pexpire", KEYS[1], ARGV[2]) return 1 end return 0'],
    ['exists', 'if redis.call("exists", KEYS[1]) == 1 then return 0 end redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2]) return 1'],
    ['not get', 'local v = redis.call("get", KEYS[1]) if not v then redis.call("psetex", KEYS[1], ARGV[2], ARGV[1]) return 1 end return 0'],
    ['redlock', 'for i, key in ipairs(KEYS) do if redis.call("exists", key) == 1 then return 0 end end for i, key in ipairs(KEYS) do redis.call("set", key, ARGV[1], "PX", ARGV[2]) end return #KEYS'],
  ])('%s', (_, text) => {
    expect(facts(text)).toEqual({ kind: 'acquire', ownerCheck: 'unknown', recreates: false, reentrant: false, key: key1, owner: arg1, ttl: { ref: arg2, unit: 'ms' } });
  });

  it.each([
    ['one test', 'local v = redis.call("get", KEYS[1]) if v == false or v == ARGV[1] then redis.call("set", KEYS[1], ARGV[1], "PX", ARGV[2]) return 1 end return 0'],
    ['answer', 'if redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) then return 1 end if redis.call("get", KEYS[1]) == ARGV[1] then return 1 end return 0'],
    ['refresh first', 'if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("pexpire", KEYS[1], ARGV[2]) return 1 end return redis.call("set", KEYS[1], ARGV[1], "NX", "PX", ARGV[2])'],
    ['redisson', 'if (redis.call("exists", KEYS[1]) == 0) then redis.call("hincrby", KEYS[1], ARGV[1], 1); redis.call("pexpire", KEYS[1], ARGV[2]); return nil; end; if (redis.call("hexists", KEYS[1], ARGV[1]) == 1) then redis.call("hincrby", KEYS[1], ARGV[1], 1); redis.call("pexpire", KEYS[1], ARGV[2]); return nil; end; return redis.call("pttl", KEYS[1]);'],
  ])('is re-entrant: %s', (_, text) => {
    expect(facts(text)).toEqual({ kind: 'acquire', ownerCheck: 'unknown', recreates: false, reentrant: true, key: key1, owner: arg1, ttl: { ref: arg2, unit: 'ms' } });
  });

  it('has no TTL when the script sets none', () => {
    expect(classifyLua('return redis.call("setnx", KEYS[1], ARGV[1])').ttl).toBeUndefined();
  });

  it('keeps a computed TTL as text', () => {
    expect(classifyLua('return redis.call("set", KEYS[1], ARGV[1], "NX", "EX", ARGV[2] / 1000)').ttl).toEqual({ ref: { kind: 'other', text: 'ARGV[2] / 1000' }, unit: 's' });
  });
});

describe('no lock', () => {
  it.each([
    ['guarded-write', 'if redis.call("hget", KEYS[1], "status") == ARGV[1] then redis.call("hset", KEYS[1], "status", ARGV[2]) return 1 end return 0'],
    ['guarded-write', 'local t = tonumber(redis.call("get", KEYS[1]) or "0") if tonumber(ARGV[1]) > t then redis.call("set", KEYS[1], ARGV[1]) return 1 end return 0'],
    ['guarded-write', 'if redis.call("get", KEYS[1]) == ARGV[1] then redis.call("set", KEYS[1], ARGV[2]) return 1 end return 0'],
    ['read', 'return redis.call("get", KEYS[1])'],
    ['opaque', 'local c = redis.call("incr", KEYS[1]) if c == 1 then redis.call("expire", KEYS[1], ARGV[1]) end return c'],
    ['opaque', 'local v = redis.call("get", KEYS[1]) redis.call("del", KEYS[1]) return v'],
    ['opaque', 'local v = redis.call("get", KEYS[1]) if v then redis.call("expire", KEYS[1], 60) end return v'],
    ['opaque', 'if redis.call("ttl", KEYS[1]) < 0 then redis.call("expire", KEYS[1], ARGV[1]) end'],
    ['opaque', 'local v = redis.call("get", KEYS[1]) if v then redis.call("del", KEYS[1]) return 1 else return 0 end'],
    ['opaque', 'redis.call("zrem", KEYS[1], ARGV[1]) redis.call("del", KEYS[2]) return 1'],
    ['opaque', 'redis.call("lpush", KEYS[1], ARGV[1]) redis.call("del", KEYS[2])'],
    ['opaque', 'for _, k in ipairs(redis.call("keys", ARGV[1])) do redis.call("del", k) end'],
    ['opaque', 'return redis.call("del", unpack(KEYS))'],
    ['opaque', 'redis.call("hset", KEYS[1], "a", ARGV[1]) redis.call("expire", KEYS[1], 10)'],
    ['opaque', 'return redis.call(ARGV[1], KEYS[1])'],
    ['opaque', 'if redis.call("get", KEYS[1] then'],
    ['opaque', 'return 1'],
    ['opaque', ''],
  ])('%s: %s', (kind, text) => {
    expect(classifyLua(text)).toMatchObject({ kind, ...(kind === 'opaque' ? { ownerCheck: 'unknown' } : {}) });
  });
});

describe('any text', () => {
  const pieces = fc.constantFrom(
    'if ', 'then ', 'elseif ', 'else ', 'end ', 'return ', 'local v = ', 'redis.call("get", KEYS[1])', 'redis.call("del", KEYS[1])', ' == ', ' ~= ', 'ARGV[1] ',
    'not ', 'and ', 'or ', '(', ')', '[[', ']]', '--', '"', '\'', '{', '}', 'for i, k in ipairs(KEYS) do ', 'while ', 'function f() ', 'f() ', 'v ', 'nil ', '\n', '#', '-', '..',
  );

  it('never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.array(pieces, { maxLength: 60 }).map((list) => list.join(''))), (text) => {
      expect(classifyLua(text).calls).toBeInstanceOf(Array);
    }), { numRuns: 2000 });
  });

  it.each(['(', 'not ', 'if x then ', 'f(', 'a.', 'a or ', '{', '[[', '-', 'a..', 'redis.call("get", KEYS[1]) ', 'local function f() f() f() end '])('ends on a flood of %j', (piece) => {
    expect(classifyLua(piece.repeat(20_000)).ownerCheck).toBe('unknown');
  });
});
