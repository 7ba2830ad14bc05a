import type ts from 'typescript';
import { bare, propertyOf } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import type { TtlGiven } from './operation.js';

/** The options of a SET, read from any client's spelling; tokens in any order and case. */
export interface SetOptions {
  readonly nx: boolean;
  readonly xx: boolean;
  /** SET .. GET answers the old value: null means that the key was free. */
  readonly get: boolean;
  readonly ttl: TtlGiven;
}

/** Reads what follows key and value: ioredis tokens, node-redis and Upstash option objects, array forms. */
export function readSetOptions(unit: Unit, args: readonly ts.Expression[]): SetOptions {
  const { ts } = unit;
  const first = args[0] && bare(unit, args[0]);
  if (first !== undefined && ts.isObjectLiteralExpression(first)) return optionObject(unit, first);
  return tokens(unit, args);
}

function tokens(unit: Unit, args: readonly ts.Expression[]): SetOptions {
  const { ts } = unit;
  let nx = false;
  let xx = false;
  let get = false;
  let ttl: TtlGiven = { kind: 'none' };
  for (const [i, arg] of args.entries()) {
    if (ts.isSpreadElement(arg)) {
      ttl = ttl.kind === 'given' ? ttl : { kind: 'open' };
      continue;
    }
    const term = termOf(unit, arg);
    const word = term.kind === 'const' && typeof term.value === 'string' ? term.value.toUpperCase() : '';
    if (word === 'NX') nx = true;
    else if (word === 'XX') xx = true;
    else if (word === 'GET') get = true;
    else if (word === 'EX' || word === 'PX') ttl = given(unit, args[i + 1], word === 'EX' ? 's' : 'ms');
    else if (word === 'EXAT' || word === 'PXAT' || word === 'KEEPTTL') ttl = { kind: 'open' };
  }
  return { nx, xx, get, ttl };
}

function optionObject(unit: Unit, options: ts.ObjectLiteralExpression): SetOptions {
  const { ts } = unit;
  const read = (...names: string[]): ts.Expression | undefined => names.map((name) => propertyOf(unit, options, name)).find((found) => found !== undefined);
  const isTrue = (node: ts.Expression | undefined): boolean => node !== undefined && bare(unit, node).kind === ts.SyntaxKind.TrueKeyword;
  const condition = read('condition');
  const word = condition && termOf(unit, condition);
  const named = word?.kind === 'const' ? word.value : undefined;
  const spread = options.properties.some((p) => ts.isSpreadAssignment(p));
  return { nx: isTrue(read('NX', 'nx')) || named === 'NX', xx: isTrue(read('XX', 'xx')) || named === 'XX', get: isTrue(read('GET', 'get')), ttl: expiry() };

  function expiry(): TtlGiven {
    const nested = read('expiration');
    const object = nested && bare(unit, nested);
    if (object !== undefined) {
      if (!ts.isObjectLiteralExpression(object)) return { kind: 'open' };
      const type = propertyOf(unit, object, 'type');
      const unitName = type && termOf(unit, type);
      if (unitName?.kind !== 'const' || (unitName.value !== 'EX' && unitName.value !== 'PX')) return { kind: 'open' };
      return given(unit, propertyOf(unit, object, 'value'), unitName.value === 'EX' ? 's' : 'ms');
    }
    const seconds = read('EX', 'ex');
    if (seconds !== undefined) return given(unit, seconds, 's');
    const millis = read('PX', 'px');
    if (millis !== undefined) return given(unit, millis, 'ms');
    return spread || read('EXAT', 'PXAT', 'exat', 'pxat', 'keepTtl', 'KEEPTTL') !== undefined ? { kind: 'open' } : { kind: 'none' };
  }
}

function given(unit: Unit, node: ts.Expression | undefined, measure: 's' | 'ms'): TtlGiven {
  return node === undefined ? { kind: 'open' } : { kind: 'given', ttl: { term: termOf(unit, node), node, unit: measure, named: namedUnit(unit, node), whole: true } };
}
