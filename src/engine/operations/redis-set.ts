import type ts from 'typescript';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { namedUnit } from '../syntax/named-unit.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { TtlGiven } from './operation.js';

/** The options of a SET, read from any client's spelling; tokens in any order and case. */
export interface SetOptions {
  readonly nx: boolean;
  readonly xx: boolean;
  /** SET .. GET answers the old value: null means that the key was free. */
  readonly get: boolean;
  readonly ttl: TtlGiven;
  /** SET .. IFEQ, DELEX .. IFEQ: the value that has to stand there. */
  readonly ifEqual: Term | undefined;
}

/** Reads what follows key and value: ioredis tokens, node-redis and Upstash option objects, array forms. */
export function readSetOptions(unit: Unit, args: readonly ts.Expression[]): SetOptions {
  const { ts } = unit;
  const first = args[0] === undefined || ts.isSpreadElement(args[0]) ? undefined : followed(unit, args[0]);
  if (first !== undefined && ts.isObjectLiteralExpression(first)) return optionObject(unit, first);
  return (first !== undefined && ts.isConditionalExpression(first) ? eitherObject(unit, first) : undefined) ?? tokens(unit, args);
}

/** `ttl ? { NX: true, PX: ttl } : { NX: true }`: what both say, and no time where one of them has none. */
function eitherObject(unit: Unit, choice: ts.ConditionalExpression): SetOptions | undefined {
  const [a, b] = [choice.whenTrue, choice.whenFalse].map((x) => bare(unit, x)).map((x) => (unit.ts.isObjectLiteralExpression(x) ? optionObject(unit, x) : undefined));
  if (a === undefined || b === undefined) return undefined;
  const ttl: TtlGiven = a.ttl.kind === 'none' || b.ttl.kind === 'none' ? { kind: 'none' } : { kind: 'open' };
  return { nx: a.nx && b.nx, xx: a.xx && b.xx, get: a.get && b.get, ttl, ifEqual: undefined };
}

function tokens(unit: Unit, args: readonly ts.Expression[]): SetOptions {
  const { ts } = unit;
  let nx = false;
  let xx = false;
  let get = false;
  let ifEqual: Term | undefined;
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
    else if (word === 'IFEQ' && args[i + 1] !== undefined) ifEqual = valueOf(unit, args[i + 1]);
    else if (word === 'EX' || word === 'PX') ttl = given(unit, args[i + 1], word === 'EX' ? 's' : 'ms');
    else if (word === 'EXAT' || word === 'PXAT' || word === 'KEEPTTL') ttl = { kind: 'open' };
  }
  return { nx, xx, get, ttl, ifEqual };
}

function optionObject(unit: Unit, options: ts.ObjectLiteralExpression): SetOptions {
  const { ts } = unit;
  const read = (...names: string[]): ts.Expression | undefined => names.map((name) => propertyOf(unit, options, name)).find((found) => found !== undefined);
  const isTrue = (node: ts.Expression | undefined): boolean => node !== undefined && bare(unit, node).kind === ts.SyntaxKind.TrueKeyword;
  // Valkey's own client says it in words.
  const condition = read('condition', 'conditionalSet');
  const word = condition && termOf(unit, condition);
  const named = word?.kind === 'const' ? word.value : undefined;
  const spread = options.properties.some((p) => ts.isSpreadAssignment(p));
  return { nx: isTrue(read('NX', 'nx')) || /^(?:NX|onlyIfDoesNotExist)$/.test(String(named)), xx: isTrue(read('XX', 'xx')) || /^(?:XX|onlyIfExists)$/.test(String(named)), get: isTrue(read('GET', 'get')), ttl: expiry(), ifEqual: named === 'IFEQ' ? valueOf(unit, read('matchValue')) : undefined };

  function expiry(): TtlGiven {
    const nested = read('expiration', 'expiry');
    const object = nested && bare(unit, nested);
    if (object !== undefined) {
      if (!ts.isObjectLiteralExpression(object)) return { kind: 'open' };
      const type = propertyOf(unit, object, 'type');
      const measure = type && UNITS.get(type.getText(unit.file).replace(/['"]/g, '').replace(/^TimeUnit\./, ''));
      return measure === undefined ? { kind: 'open' } : given(unit, propertyOf(unit, object, 'value') ?? propertyOf(unit, object, 'count'), measure);
    }
    const seconds = read('EX', 'ex');
    if (seconds !== undefined) return given(unit, seconds, 's');
    const millis = read('PX', 'px');
    if (millis !== undefined) return given(unit, millis, 'ms');
    return spread || read('EXAT', 'PXAT', 'exat', 'pxat', 'keepTtl', 'KEEPTTL') !== undefined ? { kind: 'open' } : { kind: 'none' };
  }
}

const UNITS = new Map<string, 's' | 'ms'>([['EX', 's'], ['PX', 'ms'], ['Seconds', 's'], ['Milliseconds', 'ms']]);

function valueOf(unit: Unit, node: ts.Expression | undefined): Term | undefined {
  return node === undefined || unit.ts.isSpreadElement(node) ? undefined : termOf(unit, node);
}

function given(unit: Unit, node: ts.Expression | undefined, measure: 's' | 'ms'): TtlGiven {
  return node === undefined ? { kind: 'open' } : { kind: 'given', ttl: { term: numberOf(termOf(unit, node)), node, unit: measure, named: namedUnit(unit, node), whole: true } };
}

/** A command that is spelled out carries its numbers as text. */
function numberOf(term: Term): Term {
  return term.kind === 'const' && typeof term.value === 'string' && /^\d+$/.test(term.value) ? { kind: 'const', value: Number(term.value) } : term;
}
