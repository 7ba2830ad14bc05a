import { ABSENT, MATCH, MURKY, NOTHING, WON, type LuaFacts } from './lua-facts.js';
import { isCallers, type LuaValue } from './lua-value.js';

/** What is known once a test proved true or false. */
export interface LuaTest { readonly yes: LuaFacts; readonly no: LuaFacts }

const SAYS_NOTHING: LuaTest = { yes: NOTHING, no: NOTHING };
const SAYS_UNCLEAR: LuaTest = { yes: MURKY, no: MURKY };

/** A value used as a condition: Redis answers nil as false, and every number is true in Lua. */
export function truth(value: LuaValue): LuaTest {
  switch (value.kind) {
    case 'stored':
      return value.direct ? { yes: NOTHING, no: ABSENT } : SAYS_UNCLEAR;
    case 'reply':
      return value.nx ? { yes: WON, no: NOTHING } : SAYS_NOTHING;
    case 'test':
      return { yes: value.yes, no: value.no };
    case 'unknown':
      return SAYS_UNCLEAR;
    default:
      return SAYS_NOTHING;
  }
}

/** A comparison of two values; which side stands left does not matter. */
export function compareValues(left: LuaValue, operator: string, right: LuaValue): LuaTest {
  if (operator === '~=') {
    const { yes, no } = compareValues(left, '==', right);
    return { yes: no, no: yes };
  }
  if (operator === '==') {
    return equals(left, right) ?? equals(right, left) ?? unclear(left, right);
  }
  return ordered(left, operator, right) ?? ordered(right, MIRRORED[operator] ?? operator, left) ?? unclear(left, right);
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=' };

function equals(left: LuaValue, right: LuaValue): LuaTest | undefined {
  const literal = literalOf(right);
  if (left.kind === 'stored') {
    if (isCallers(right)) {
      return { yes: MATCH, no: NOTHING };
    }
    return right.kind === 'constant' && right.value !== true ? { yes: ABSENT, no: NOTHING } : undefined;
  }
  if (left.kind === 'exists') {
    return literal === 0 || literal === 1 ? existsTest(left.owner !== undefined, literal === 0) : undefined;
  }
  return left.kind === 'reply' ? replyTest(left, right, literal) : undefined;
}

function existsTest(owner: boolean, isAbsent: boolean): LuaTest {
  const there = owner ? MATCH : NOTHING;
  const gone = owner ? NOTHING : ABSENT;
  return isAbsent ? { yes: gone, no: there } : { yes: there, no: gone };
}

const TOUCHES: ReadonlySet<string> = new Set(['expire', 'pexpire', 'expireat', 'pexpireat', 'persist', 'del', 'unlink']);

function replyTest(left: Extract<LuaValue, { kind: 'reply' }>, right: LuaValue, literal: string | number | undefined): LuaTest {
  if (left.nx) {
    const isLoss = literal === 0 || right.kind === 'constant';
    return isLoss ? { yes: NOTHING, no: WON } : { yes: WON, no: NOTHING };
  }
  if (TOUCHES.has(left.command) && (literal === 0 || literal === 1)) {
    return literal === 0 ? { yes: ABSENT, no: NOTHING } : { yes: NOTHING, no: ABSENT };
  }
  return left.command.endsWith('ttl') && literal === -2 ? { yes: ABSENT, no: NOTHING } : SAYS_NOTHING;
}

/** `exists(k) > 0`, `exists(k) >= 1`, `exists(k) < 1`. */
function ordered(left: LuaValue, operator: string, right: LuaValue): LuaTest | undefined {
  const literal = literalOf(right);
  if (left.kind !== 'exists' || (literal !== 0 && literal !== 1)) {
    return undefined;
  }
  const isThere = (operator === '>' && literal === 0) || (operator === '>=' && literal === 1);
  const isGone = (operator === '<' && literal === 1) || (operator === '<=' && literal === 0);
  return isThere || isGone ? existsTest(left.owner !== undefined, isGone) : undefined;
}

function literalOf(value: LuaValue): string | number | undefined {
  return value.kind === 'ref' && value.ref.kind === 'literal' ? value.ref.value : undefined;
}

const UNCLEAR: ReadonlySet<LuaValue['kind']> = new Set(['stored', 'unknown', 'exists', 'test']);

/** A stored value, or one that is not understood, decides the way: what it proves is not known. */
function unclear(left: LuaValue, right: LuaValue): LuaTest {
  return [left, right].some((value) => UNCLEAR.has(value.kind)) ? SAYS_UNCLEAR : SAYS_NOTHING;
}
