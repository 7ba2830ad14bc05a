import type ts from 'typescript';
import { constant, object, UNKNOWN, type Value } from '../operations/value.js';
import { importTarget } from '../syntax/declared-import.js';
import { calleeOf } from '../syntax/declared-type.js';
import { bare } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';

/**
 * What a call makes, where it does nothing else: `ok(x)` of a Result library, and functions of the project whose body is one `return` of an object, as code has them for
 * its own unions. A method that answers a constant stands under its name with `()`.
 */
export function madeValue(unit: Unit, call: ts.CallExpression, valueOf: (unit: Unit, expression: ts.Expression) => Value): Value {
  return libraryResult(unit, call) ?? builtBy(unit, call, valueOf) ?? UNKNOWN;
}

/** Whether a call only wraps its argument as the answer of the function, so that whoever gets the answer has what is in it. */
export function makesResult(unit: Unit, call: ts.CallExpression): boolean {
  return libraryResult(unit, call) !== undefined || builtBy(unit, call, () => UNKNOWN) !== undefined;
}

/** The makers of the libraries' results: true for success. */
const MAKERS = new Map<string, ReadonlyMap<string, boolean>>([
  ['neverthrow', new Map([['ok', true], ['okAsync', true], ['err', false], ['errAsync', false]])],
  ['ts-results', new Map([['Ok', true], ['Err', false]])],
  ['ts-results-es', new Map([['Ok', true], ['Err', false]])],
  ['oxide.ts', new Map([['Ok', true], ['Err', false]])],
  ['true-myth', new Map([['ok', true], ['err', false]])],
]);
/** The questions that their results answer. `ok` and `err` are properties of ts-results. */
const SUCCESS = ['isOk()', 'ok'];
const FAILURE = ['isErr()', 'err'];

function libraryResult(unit: Unit, call: ts.CallExpression): Value | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const binding = ts.isIdentifier(callee) ? unit.scopes.resolve(callee) : undefined;
  const target = binding && importTarget(unit, binding.declaration);
  if (target?.kind !== 'package') return undefined;
  const isSuccess = MAKERS.get(target.from)?.get(target.name);
  if (isSuccess === undefined) return undefined;
  const entries = [...SUCCESS.map((name) => [name, constant(isSuccess)] as const), ...FAILURE.map((name) => [name, constant(!isSuccess)] as const)];
  return object(Object.fromEntries(entries));
}

function builtBy(unit: Unit, call: ts.CallExpression, valueOf: (unit: Unit, expression: ts.Expression) => Value): Value | undefined {
  if (!unit.ts.isIdentifier(bare(unit, call.expression))) return undefined;
  const callee = calleeOf(unit, call);
  const returned = callee?.body && soleReturn(unit, callee.body);
  if (callee === undefined || returned === undefined) return undefined;
  const made = bare(unit, returned);
  return unit.ts.isObjectLiteralExpression(made) ? valueOf(callee.signature.unit, made) : undefined;
}

/** The expression of a function that has nothing but a `return`. */
function soleReturn({ ts }: Unit, fn: ts.FunctionLikeDeclaration): ts.Expression | undefined {
  if (!('body' in fn) || fn.body === undefined) return undefined;
  if (!ts.isBlock(fn.body)) return fn.body;
  const [only, ...others] = fn.body.statements;
  return only !== undefined && others.length === 0 && ts.isReturnStatement(only) ? only.expression : undefined;
}
