import { runCommand } from './lua-command.js';
import { compareValues, truth } from './lua-compare.js';
import { both, either, NOTHING, type LuaFacts } from './lua-facts.js';
import type { LuaExpression } from './lua-syntax.js';
import { isCallers, lookUp, toRef, type LuaScope, type LuaValue } from './lua-value.js';
import { walkBlock, type LuaWalk } from './lua-walk.js';

/** An expression's value, and what is known once it proved true or false. */
export interface LuaOutcome { readonly value: LuaValue; readonly yes: LuaFacts; readonly no: LuaFacts }

/** Evaluates an expression once; the commands it calls are recorded under `facts`. */
export function evaluate(walk: LuaWalk, expression: LuaExpression, scope: LuaScope, facts: LuaFacts): LuaOutcome {
  switch (expression.kind) {
    case 'binary':
      return binary(walk, expression, scope, facts);
    case 'unary':
      return unary(walk, expression, scope, facts);
    default: {
      const value = simple(walk, expression, scope, facts);
      return { value, ...truth(value) };
    }
  }
}

type Of<K extends LuaExpression['kind']> = Extract<LuaExpression, { kind: K }>;

function binary(walk: LuaWalk, expression: Of<'binary'>, scope: LuaScope, facts: LuaFacts): LuaOutcome {
  const { operator, text } = expression;
  const left = evaluate(walk, expression.left, scope, facts);
  if (operator === 'and') {
    const right = evaluate(walk, expression.right, scope, both(facts, left.yes));
    return { value: right.value, yes: both(left.yes, right.yes), no: either(left.no, both(left.yes, right.no)) };
  }
  if (operator === 'or') {
    const right = evaluate(walk, expression.right, scope, both(facts, left.no));
    // `v or ''` still is the stored value.
    return { value: left.value.kind === 'constant' ? right.value : left.value, yes: either(left.yes, both(left.no, right.yes)), no: both(left.no, right.no) };
  }
  const right = evaluate(walk, expression.right, scope, facts);
  if (COMPARISONS.has(operator)) {
    const test = compareValues(left.value, operator, right.value);
    recordMatch(walk, left.value, right.value, expression);
    return { value: { kind: 'test', ...test }, ...test };
  }
  return { value: (operator === '+' ? addedToRest(left.value, right.value) : undefined) ?? derive([left.value, right.value], text), yes: NOTHING, no: NOTHING };
}

/** `ttl(k) + ARGV[2]`: what is left of a time is a whole number that the store knows, so the caller's part says what the sum is. */
function addedToRest(left: LuaValue, right: LuaValue): LuaValue | undefined {
  if (isTimeLeft(left) && isCallers(right)) return right;
  return isTimeLeft(right) && isCallers(left) ? left : undefined;
}

function isTimeLeft(value: LuaValue): boolean {
  return value.kind === 'reply' && (value.command === 'ttl' || value.command === 'pttl');
}

const COMPARISONS: ReadonlySet<string> = new Set(['==', '~=', '<', '>', '<=', '>=']);

function recordMatch(walk: LuaWalk, left: LuaValue, right: LuaValue, expression: Of<'binary'>): void {
  for (const [value, other, text] of [[left, right, expression.right.text], [right, left, expression.left.text]] as const) {
    if (value.kind === 'stored' && isCallers(other)) {
      walk.matches.push({ key: value.key, owner: toRef(other, text) });
    } else if (value.kind === 'exists' && value.owner !== undefined) {
      walk.matches.push({ key: value.key, owner: value.owner });
    }
  }
}

function unary(walk: LuaWalk, expression: Of<'unary'>, scope: LuaScope, facts: LuaFacts): LuaOutcome {
  const operand = evaluate(walk, expression.operand, scope, facts);
  if (expression.operator === 'not') {
    const test = { yes: operand.no, no: operand.yes };
    return { value: { kind: 'test', ...test }, ...test };
  }
  return { value: derive([operand.value], expression.text), yes: NOTHING, no: NOTHING };
}

function simple(walk: LuaWalk, expression: Exclude<LuaExpression, { kind: 'binary' | 'unary' }>, scope: LuaScope, facts: LuaFacts): LuaValue {
  const { text } = expression;
  switch (expression.kind) {
    case 'constant':
      return typeof expression.value === 'string' || typeof expression.value === 'number'
        ? { kind: 'ref', ref: { kind: 'literal', value: expression.value } }
        : { kind: 'constant', value: expression.value };
    case 'name':
      return lookUp(scope, expression.name) ?? { kind: 'unknown', text };
    case 'index':
      return index(walk, expression, scope, facts);
    case 'call':
      return call(walk, expression, scope, facts);
    case 'function':
      return { kind: 'function', params: expression.params, body: expression.body };
    case 'table':
      return derive(expression.items.map((item) => evaluate(walk, item, scope, facts).value), text);
    case 'other':
      return { kind: 'unknown', text };
  }
}

const CLIENTS: ReadonlySet<string> = new Set(['redis', 'server']);

function index(walk: LuaWalk, expression: Of<'index'>, scope: LuaScope, facts: LuaFacts): LuaValue {
  const { object, key, text } = expression;
  const name = key.kind === 'constant' ? key.value : undefined;
  if (object.kind === 'name' && CLIENTS.has(object.name) && (name === 'call' || name === 'pcall')) {
    return { kind: 'command-call' };
  }
  const of = evaluate(walk, object, scope, facts).value;
  const at = evaluate(walk, key, scope, facts).value;
  if (of.kind === 'keys' || of.kind === 'args') {
    const number = at.kind === 'counter' ? 1 : at.kind === 'ref' && at.ref.kind === 'literal' ? Number(at.ref.value) : Number.NaN;
    const kind = of.kind === 'keys' ? 'key' : 'arg';
    if (Number.isInteger(number)) {
      return { kind: 'ref', ref: { kind, index: number } };
    }
    return of.kind === 'keys' ? { kind: 'unknown', text } : { kind: 'argument', text };
  }
  return of.kind === 'reply' ? of : derive([of], text);
}

/** Functions that hand on the value they are given. */
const TRANSPARENT: ReadonlySet<string> = new Set(['tonumber', 'tostring', 'assert']);

function call(walk: LuaWalk, expression: Of<'call'>, scope: LuaScope, facts: LuaFacts): LuaValue {
  const callee = evaluate(walk, expression.callee, scope, facts).value;
  const values = expression.args.map((argument) => evaluate(walk, argument, scope, facts).value);
  if (callee.kind === 'command-call') {
    return runCommand(walk, values, expression.args.map((argument) => argument.text), facts);
  }
  if (callee.kind === 'function') {
    return ownFunction(walk, callee, values, scope, facts, expression.text);
  }
  const [first] = values;
  const name = expression.callee.text;
  if (first !== undefined && (TRANSPARENT.has(name) || name === 'string.lower' || name === 'string.upper')) {
    return first;
  }
  return derive(values, expression.text);
}

/** Follows a call of the script's own function with its arguments bound. */
function ownFunction(
  walk: LuaWalk, callee: Extract<LuaValue, { kind: 'function' }>, values: readonly LuaValue[], scope: LuaScope, facts: LuaFacts, text: string,
): LuaValue {
  if (walk.budget === 0 || walk.callDepth >= 4) {
    walk.opaque = true;
    return { kind: 'unknown', text };
  }
  walk.budget -= 1;
  walk.callDepth += 1;
  const names = new Map(callee.params.map((param, at): [string, LuaValue] => [param, values[at] ?? { kind: 'constant', value: null }]));
  const returns = walk.returns.length;
  walkBlock(walk, callee.body, { parent: scope, names }, facts);
  walk.callDepth -= 1;
  // Its RETURNs answer the caller, not the client.
  const answers = walk.returns.splice(returns);
  return answers.length === 1 && answers[0] !== undefined ? answers[0].value : { kind: 'unknown', text };
}

function derive(values: readonly LuaValue[], text: string): LuaValue {
  const stored = values.find((value) => value.kind === 'stored');
  if (stored !== undefined) {
    return { kind: 'stored', key: stored.key, direct: false };
  }
  const isArgument = values.some(isCallers) && values.every((value) => isCallers(value) || value.kind === 'ref' || value.kind === 'constant');
  return isArgument ? { kind: 'argument', text } : { kind: 'unknown', text };
}
