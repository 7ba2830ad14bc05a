/**
 * What is known to hold at a point of a script, as a set of bits.
 * `match`: the stored value equals an argument. `absent`: the key does not exist. `free`: one of the two, so nobody else holds it.
 * `won`: a SET NX or SETNX of this script succeeded. `murky`: the way here passed a test of a stored value that is not understood.
 */
export type LuaFacts = number;

export const NOTHING: LuaFacts = 0;
export const MATCH: LuaFacts = 1 | 4;
export const ABSENT: LuaFacts = 2 | 4;
export const FREE: LuaFacts = 4;
export const WON: LuaFacts = 8;
export const MURKY: LuaFacts = 16;

/** Both are known. */
export function both(a: LuaFacts, b: LuaFacts): LuaFacts {
  return a | b;
}

/** One of two ways led here: only what both know holds, and doubt on either stays. */
export function either(a: LuaFacts, b: LuaFacts): LuaFacts {
  return (a & b) | ((a | b) & MURKY);
}

/** Whether all bits of `fact` are known. */
export function knows(facts: LuaFacts, fact: LuaFacts): boolean {
  return (facts & fact) === fact;
}
