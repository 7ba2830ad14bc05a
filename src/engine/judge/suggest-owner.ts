import type ts from 'typescript';
import { slotsOf } from '../operations/lock-slots.js';
import type { AcquireOperation, ExtendOperation, ReleaseOperation } from '../operations/operation.js';
import { sameTerm } from '../syntax/compare-terms.js';
import { calleeOf } from '../syntax/declared-callee.js';
import { bare, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Term } from '../syntax/term.js';
import type { Unit } from '../syntax/unit.js';
import type { Suggestion } from './outcome.js';
import type { ExtensionSubject, ReleaseSubject } from './subject.js';

type Edit = Suggestion['edits'][number];

/**
 * Names the owner of the acquire in a release or renewal that names another one or none. Only where one acquire of the function is in question, its owner is a
 * plain name that nothing reassigns and that means the same here, and the slot for it is plain to see.
 */
export function suggestOwner({ unit, operation, besides }: ReleaseSubject | ExtensionSubject): Suggestion[] {
  if (operation.kind === 'overwrite' || !unit.ts.isCallExpression(operation.node)) return [];
  const [acquire, ...others] = besides.filter((o): o is AcquireOperation => o.kind === 'acquire');
  if (acquire === undefined || others.length > 0) return [];
  const name = ownerName(unit, acquire);
  if (name === undefined || unit.scopes.lookup(name.text, operation.node) !== unit.scopes.resolve(name)) return [];
  const edit = ownerEdit(unit, operation.node, operation, name.text);
  return edit === undefined ? [] : [{ title: `Name \`${name.text}\`, the owner that the acquire used.`, edits: [edit] }];
}

/** The name that the acquire hands over as its owner. A constant is nobody's own. */
function ownerName(unit: Unit, { node, owner }: AcquireOperation): ts.Identifier | undefined {
  const { ts } = unit;
  if (owner === undefined || owner.kind === 'const' || !ts.isCallExpression(node)) return undefined;
  const [given, ...others] = valuesNaming(unit, node, owner);
  if (given === undefined || others.length > 0 || !ts.isIdentifier(given)) return undefined;
  const binding = unit.scopes.resolve(given);
  return binding !== undefined && binding.writes.length === 0 ? given : undefined;
}

function ownerEdit(unit: Unit, call: ts.CallExpression, { owner, ownerSlot }: ReleaseOperation | ExtendOperation, name: string): Edit | undefined {
  if (ownerSlot === 'missing' || owner === undefined) return slotEdit(unit, call, name);
  const [given, ...others] = valuesNaming(unit, call, owner);
  return given === undefined || others.length > 0 ? undefined : replacing(unit, given, name);
}

/** All that a call hands over, as arguments or as properties of an object written there, that has the value of a term. */
function valuesNaming(unit: Unit, call: ts.CallExpression, term: Term): ts.Expression[] {
  const { ts } = unit;
  return call.arguments
    .flatMap((argument): ts.Expression[] => {
      const e = bare(unit, argument);
      if (!ts.isObjectLiteralExpression(e)) return [e];
      return e.properties.flatMap((p) => (ts.isPropertyAssignment(p) ? [bare(unit, p.initializer)] : ts.isShorthandPropertyAssignment(p) ? [p.name] : []));
    })
    .filter((value) => sameTerm(termOf(unit, value), term));
}

/** Fills the owner slot that the declaration shows. */
function slotEdit(unit: Unit, call: ts.CallExpression, name: string): Edit | undefined {
  const { ts } = unit;
  const callee = calleeOf(unit, call);
  const slot = callee && slotsOf(callee.signature).owner;
  if (slot === undefined || call.arguments.some((a) => ts.isSpreadElement(a))) return undefined;
  const argument = call.arguments[slot.index];
  const last = call.arguments.at(-1);
  if (slot.property === undefined) {
    if (argument !== undefined) return replacing(unit, argument, name);
    return last !== undefined && call.arguments.length === slot.index ? inserting(last.end, `, ${name}`) : undefined;
  }
  const object = argument && bare(unit, argument);
  if (object === undefined || !ts.isObjectLiteralExpression(object) || object.properties.some((p) => ts.isSpreadAssignment(p))) return undefined;
  const given = propertyOf(unit, object, slot.property);
  if (given !== undefined) return replacing(unit, given, name);
  const end = object.properties.at(-1)?.end;
  return end === undefined ? undefined : inserting(end, `, ${slot.property === name ? name : `${slot.property}: ${name}`}`);
}

function replacing(unit: Unit, given: ts.Expression, name: string): Edit {
  const isShorthand = unit.ts.isShorthandPropertyAssignment(given.parent);
  const text = isShorthand && nameText(unit, given.parent.name) !== name ? `${given.parent.name.text}: ${name}` : name;
  return { start: given.getStart(unit.file), end: given.end, text };
}

function inserting(at: number, text: string): Edit {
  return { start: at, end: at, text };
}
