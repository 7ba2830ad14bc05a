import type ts from 'typescript';
import { evaluate } from '../flow/evaluate.js';
import type { World } from '../flow/simulate.js';
import type { AcquireOperation } from '../operations/operation.js';
import { UNKNOWN_FORM, type ResultForm } from '../operations/result-form.js';
import { NOTHING, propertyOfValue, showValue, truthOf, TRUTHY, UNKNOWN, type Value } from '../operations/value.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { bare } from '../syntax/expression.js';
import { freshnessOf } from '../syntax/term.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';

/** An acquire, or a guarded write, which has no owner. */
type Granting = Pick<AcquireOperation, 'node' | 'result' | 'owner'>;

/**
 * What a function answers when the acquire in it was granted and when it was not. A path that answers the loser as the winner is the function's own fault and is told
 * there, so that such a value counts as won alone.
 */
export function wrapperForm(unit: Unit, acquire: Granting, worlds: readonly World[]): ResultForm {
  const { won: granted, lost: refused } = acquire.result;
  // `SET NX GET` gives the holder, who may be the caller itself.
  if (granted.some((v) => v.kind === 'unknown') || refused.some((v) => v.kind === 'unknown' || v.kind === 'truthy')) return UNKNOWN_FORM;
  const exits = worlds.filter((w) => w.at.kind === 'exit');
  if (exits.some((w) => w.hold === 'escaped')) return UNKNOWN_FORM;
  const won = distinct(exits.filter((w) => w.hold === 'held').map((w) => returnedValue(unit, acquire, w)));
  const answered = distinct(exits.filter((w) => w.hold !== 'held' && w.hold !== 'free').map((w) => returnedValue(unit, acquire, w)));
  const untried = distinct(exits.filter((w) => w.hold === 'free').map((w) => returnedValue(unit, acquire, w)));
  if ([...won, ...answered, ...untried].some((v) => v.kind === 'unknown')) return UNKNOWN_FORM;
  // Without a store there is nothing to ask: a value that is as true as the winner's lets the caller in.
  const refusals = [...answered, ...untried.filter((v) => v.kind === 'object' || !won.some((w) => truthOf(w) === truthOf(v)))];
  const lost = distinct(refusals).filter((v) => !won.some((w) => isSameVariant(v, w)));
  const throwsWhenLost = worlds.some((w) => w.at.kind === 'throw-exit' && w.hold === 'lost' && tellsRefusal(w, acquire));
  if (won.length === 0 || (lost.length === 0 && (refusals.length > 0 || !throwsWhenLost))) return UNKNOWN_FORM;
  return { label: labelOf(won, lost), won, lost, throwsWhenLost };
}

/** The return a path left by; undefined where it fell off the end. */
export function returnOf(unit: Unit, world: World): { readonly value: ts.Expression; readonly world: World } | undefined {
  const { ts } = unit;
  for (let w: World | undefined = world; w; w = w.from) {
    if (w.at.kind !== 'return' || w.at.node === undefined) continue;
    const { node } = w.at;
    const value = ts.isReturnStatement(node) ? node.expression : ts.isStatement(node) ? undefined : (node as ts.Expression);
    return value === undefined ? undefined : { value: chosen(unit, w, value), world: w };
  }
  return undefined;
}

/** `won ? token : null` is what the path makes of it. */
function chosen(unit: Unit, world: World, expression: ts.Expression): ts.Expression {
  const { ts } = unit;
  let e = bare(unit, expression);
  for (let i = 0; i < 8; i++) {
    if (ts.isAwaitExpression(e)) e = bare(unit, e.expression);
    else if (ts.isConditionalExpression(e)) {
      const truth = truthOf(evaluate(unit, world.env, e.condition));
      if (truth === undefined) return e;
      e = bare(unit, truth ? e.whenTrue : e.whenFalse);
    } else return e;
  }
  return e;
}

/** What a path answers. A token that was stored counts as one, whatever it is. */
export function returnedValue(unit: Unit, acquire: Granting, world: World): Value {
  if (world.returned === undefined) return NOTHING;
  if (world.returned.kind !== 'unknown') return world.returned;
  const returned = returnOf(unit, world);
  if (returned === undefined) return UNKNOWN;
  const value = evaluate(unit, returned.world.env, returned.value);
  if (value.kind !== 'unknown') return value;
  // A token that was stored, or made at random, is never empty.
  const term = termOf(unit, returned.value);
  const isToken = (acquire.owner !== undefined && acquire.owner.kind !== 'const' && sameTerm(term, acquire.owner)) || ((term.kind === 'call' || term.kind === 'template') && freshnessOf(term) === 'random');
  return isToken ? TRUTHY : UNKNOWN;
}

/** A `throw` of the function after the answer, or the refusal of an acquire that throws itself. */
function tellsRefusal(world: World, acquire: Granting): boolean {
  for (let w: World | undefined = world; w?.from !== undefined; w = w.from) {
    if (w.via !== 'throw') continue;
    const { at, env } = w.from;
    if (at.kind === 'throw') return env.has(acquire.node) || acquire.result.throwsWhenLost;
    return acquire.result.throwsWhenLost && at.node !== undefined && at.node.pos <= acquire.node.pos && at.node.end >= acquire.node.end;
  }
  return false;
}

/** The same value, or the same member of a union of objects by all that tells the members apart. */
function isSameVariant(a: Value, b: Value): boolean {
  if (showValue(a) === showValue(b)) return true;
  if (a.kind !== 'object' || b.kind !== 'object') return false;
  const tags = Object.entries(b.props).filter(([, v]) => v.kind === 'const');
  return tags.length > 0 && tags.every(([name, v]) => showValue(propertyOfValue(a, name)) === showValue(v));
}

function distinct(values: readonly Value[]): Value[] {
  return [...new Map(values.map((v) => [showValue(v), v] as const)).values()];
}

function labelOf(won: readonly Value[], lost: readonly Value[]): string {
  const one = won[0];
  const none = lost.length === 0 ? 'throws' : lost.every((v) => v.kind === 'const' && (v.value === null || v.value === undefined)) ? showValue(lost[0] ?? UNKNOWN) : undefined;
  if ([...won, ...lost].every((v) => v.kind === 'const' && typeof v.value === 'boolean')) return none === 'throws' ? 'true or throws' : 'boolean';
  if (one?.kind === 'const' && one.value === undefined && none === 'throws') return 'void or throws';
  if (one?.kind === 'object') {
    const telling = Object.keys(one.props).find((name) => one.props[name]?.kind === 'const');
    return telling === undefined || none !== undefined ? `object or ${none ?? 'another'}` : `object with ${telling}`;
  }
  if (one?.kind === 'truthy') return `token or handle, or ${none ?? lost.map(showValue).join(' or ')}`;
  return [...won, ...lost].map(showValue).join(' or ');
}
