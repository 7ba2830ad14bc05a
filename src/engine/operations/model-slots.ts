import type ts from 'typescript';
import type { SlotPath } from '../models.js';
import { present, typeOf } from '../syntax/declared-type.js';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { member, type Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { SlotValue } from './lock-slots.js';

/** The value a call hands to a slot of a model: `missing` where it leaves the slot out, undefined where a spread or a variable hides it. */
export function slotValueAt(unit: Unit, call: ts.CallExpression, path: SlotPath): SlotValue | 'missing' | undefined {
  const [head, ...props] = path.split('.');
  if (head === 'recv') {
    const term = receiverTerm(unit, call);
    return term && { term: props.reduce(member, term), node: undefined };
  }
  const index = indexOf(unit, call, head ?? '');
  if (call.arguments.slice(0, index + 1).some((a) => unit.ts.isSpreadElement(a))) return undefined;
  const argument = call.arguments[index];
  return argument === undefined ? 'missing' : within(unit, argument, props);
}

/** The term a call hands to a slot, where it does. */
export function slotTermAt(unit: Unit, call: ts.CallExpression, path: SlotPath | undefined): Term | undefined {
  const value = path === undefined ? undefined : slotValueAt(unit, call, path);
  return value === undefined || value === 'missing' ? undefined : value.term;
}

/** The object a call is made on. */
export function receiverTerm(unit: Unit, call: ts.CallExpression): Term | undefined {
  const callee = bare(unit, call.expression);
  return unit.ts.isPropertyAccessExpression(callee) ? termOf(unit, callee.expression) : undefined;
}

function indexOf(unit: Unit, call: ts.CallExpression, head: string): number {
  if (head === 'arg#last') return call.arguments.length - 1;
  if (head === 'arg#fn') return call.arguments.findLastIndex((a) => isFunction(unit, a));
  return Number(head.slice('arg'.length));
}

function isFunction(unit: Unit, node: ts.Expression): boolean {
  const { ts } = unit;
  const e = followed(unit, node);
  return ts.isArrowFunction(e) || ts.isFunctionExpression(e) || present(typeOf(unit, e)).kind === 'function';
}

function within(unit: Unit, node: ts.Expression, props: readonly string[]): SlotValue | 'missing' | undefined {
  const { ts } = unit;
  const e = bare(unit, node);
  if (ts.isIdentifier(e) && e.text === 'undefined') return 'missing';
  const [first, ...rest] = props;
  if (first === undefined) return { term: termOf(unit, node), node };
  const object = followed(unit, node);
  if (!ts.isObjectLiteralExpression(object)) return { term: props.reduce(member, termOf(unit, node)), node: undefined };
  const inner = propertyOf(unit, object, first);
  if (inner !== undefined) return within(unit, inner, rest);
  return object.properties.some((p) => ts.isSpreadAssignment(p)) ? undefined : 'missing';
}
