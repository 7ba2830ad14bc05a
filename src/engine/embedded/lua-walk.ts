import { evaluate } from './lua-evaluate.js';
import { both, either, NOTHING, type LuaFacts } from './lua-facts.js';
import type { LuaBlock, LuaExpression, LuaStatement } from './lua-syntax.js';
import type { LuaRef } from './lua-types.js';
import { assign, type LuaScope, type LuaValue } from './lua-value.js';

/** A call with what is known where it runs. */
export interface LuaEvent { readonly command: string; readonly args: readonly LuaRef[]; readonly facts: LuaFacts }

/** A RETURN of the script: what is known there and what it answers. */
export interface LuaReturn { readonly facts: LuaFacts; readonly value: LuaValue }

/** A comparison of a stored value with one of the caller's. */
export interface LuaMatch { readonly key: LuaRef | undefined; readonly owner: LuaRef }

/** The record of one walk through a script. */
export interface LuaWalk {
  readonly events: LuaEvent[];
  readonly returns: LuaReturn[];
  readonly matches: LuaMatch[];
  /** A command whose name or arguments are not known, or a script too large to follow. */
  opaque: boolean;
  /** Calls of the script's own functions that may still be followed. */
  budget: number;
  callDepth: number;
}

/** Walks a script from the top and records its commands and answers. */
export function walkLua(block: LuaBlock): LuaWalk {
  const walk: LuaWalk = { events: [], returns: [], matches: [], opaque: false, budget: 50, callDepth: 0 };
  const names = new Map<string, LuaValue>([['KEYS', { kind: 'keys' }], ['ARGV', { kind: 'args' }]]);
  walkBlock(walk, block, { names }, NOTHING);
  return walk;
}

/** Walks a block; the facts behind it, or undefined when every way through it returns or breaks. */
export function walkBlock(walk: LuaWalk, block: LuaBlock, scope: LuaScope, start: LuaFacts): LuaFacts | undefined {
  let facts: LuaFacts | undefined = start;
  for (const statement of block) {
    if (facts === undefined) {
      return undefined;
    }
    facts = walkStatement(walk, statement, scope, facts);
  }
  return facts;
}

function walkStatement(walk: LuaWalk, statement: LuaStatement, scope: LuaScope, facts: LuaFacts): LuaFacts | undefined {
  switch (statement.kind) {
    case 'local': {
      const values = statement.values.map((value) => evaluate(walk, value, scope, facts).value);
      statement.names.forEach((name, at) => scope.names.set(name, values[at] ?? absentValue(values, name)));
      return facts;
    }
    case 'assign':
      walkAssignment(walk, statement, scope, facts);
      return facts;
    case 'call':
      evaluate(walk, statement.call, scope, facts);
      return isRaise(statement.call) ? undefined : facts;
    case 'if':
      return walkIf(walk, statement, scope, facts);
    case 'loop':
      return walkLoop(walk, statement, scope, facts);
    case 'block':
      return walkBlock(walk, statement.body, child(scope), facts);
    case 'return':
      walkReturn(walk, statement.values, scope, facts);
      return undefined;
    case 'break':
      return undefined;
  }
}

/** `local a, b = f()` may give `b` a value; `local b` is nil and likely to be assigned later. */
function absentValue(values: readonly LuaValue[], name: string): LuaValue {
  return values.length === 0 ? { kind: 'constant', value: null } : { kind: 'unknown', text: name };
}

function child(scope: LuaScope): LuaScope {
  return { parent: scope, names: new Map() };
}

function walkAssignment(walk: LuaWalk, statement: Extract<LuaStatement, { kind: 'assign' }>, scope: LuaScope, facts: LuaFacts): void {
  const values = statement.values.map((value) => evaluate(walk, value, scope, facts).value);
  statement.targets.forEach((target, at) => {
    if (target.kind === 'name') {
      assign(scope, target.name, values[at] ?? { kind: 'unknown', text: target.name });
    }
  });
}

/** `error(…)` ends the script. */
function isRaise(call: LuaExpression): boolean {
  return call.kind === 'call' && call.callee.kind === 'name' && call.callee.name === 'error';
}

function walkReturn(walk: LuaWalk, values: readonly LuaExpression[], scope: LuaScope, facts: LuaFacts): void {
  const [first, ...rest] = values;
  if (first === undefined) {
    walk.returns.push({ facts, value: { kind: 'constant', value: null } });
    return;
  }
  walk.returns.push({ facts, value: evaluate(walk, first, scope, facts).value });
  for (const value of rest) {
    evaluate(walk, value, scope, facts);
  }
}

function walkIf(walk: LuaWalk, statement: Extract<LuaStatement, { kind: 'if' }>, scope: LuaScope, start: LuaFacts): LuaFacts | undefined {
  let facts = start;
  const exits: (LuaFacts | undefined)[] = [];
  for (const branch of statement.branches) {
    const test = evaluate(walk, branch.test, scope, facts);
    exits.push(walkBlock(walk, branch.body, child(scope), both(facts, test.yes)));
    facts = both(facts, test.no);
  }
  exits.push(statement.otherwise === undefined ? facts : walkBlock(walk, statement.otherwise, child(scope), facts));
  const open = exits.filter((exit) => exit !== undefined);
  return open.length === 0 ? undefined : open.reduce(either);
}

function walkLoop(walk: LuaWalk, statement: Extract<LuaStatement, { kind: 'loop' }>, scope: LuaScope, facts: LuaFacts): LuaFacts {
  const over = statement.over.map((value) => evaluate(walk, value, scope, facts));
  const inner = child(scope);
  const overKeys = statement.over.some((value) => /^(?:i?pairs\s*\(\s*KEYS\s*\)|#\s*KEYS)$/u.test(value.text));
  statement.names.forEach((name, at) => inner.names.set(name, loopVariable(name, at, statement.names.length, overKeys)));
  const isWhile = statement.names.length === 0;
  const exit = walkBlock(walk, statement.body, inner, both(facts, isWhile ? over[0]?.yes ?? NOTHING : NOTHING));
  // A loop over KEYS that returns on the first bad key leaves every key good; a script without keys locks nothing.
  return overKeys && exit !== undefined ? both(facts, exit) : facts;
}

function loopVariable(name: string, at: number, count: number, overKeys: boolean): LuaValue {
  if (!overKeys) {
    return { kind: 'unknown', text: name };
  }
  return count === 2 && at === 1 ? { kind: 'ref', ref: { kind: 'key', index: 1 } } : { kind: 'counter' };
}
