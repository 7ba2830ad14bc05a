import type ts from 'typescript';
import { bare, nameText } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import type { Suggestion } from './outcome.js';
import type { AcquisitionSubject } from './subject.js';

const MILLISECONDS = '30000';

/** Gives a raw `SET NX` its expiry, in the spelling of the client that the call uses. Options that are not written in the call are left alone. */
export function suggestTtl({ unit, operation }: AcquisitionSubject): Suggestion[] {
  const { node, api } = operation;
  if (api !== 'SET NX' || !unit.ts.isCallExpression(node)) return [];
  const options = node.arguments.slice(2);
  const edit = optionEdit(unit, options[0]) ?? tokenEdit(unit, options);
  if (edit === undefined) return [];
  return [{ title: `Set an expiry of 30 seconds with \`${edit.text.replace(/^, |, $/g, '')}\`; the time has to be longer than the work takes.`, edits: [edit] }];
}

/** ioredis: the types ask for `PX` and its time before `NX`. */
function tokenEdit(unit: Unit, options: readonly ts.Expression[]): Suggestion['edits'][number] | undefined {
  const { ts, file } = unit;
  const token = options.find((o): o is ts.StringLiteral => ts.isStringLiteral(o) && o.text.toUpperCase() === 'NX');
  if (token === undefined) return undefined;
  const start = token.getStart(file);
  const quote = unit.textBetween(start, start + 1) || '\'';
  const word = token.text === 'nx' ? 'px' : 'PX';
  return { start, end: start, text: `${quote}${word}${quote}, ${MILLISECONDS}, ` };
}

/** node-redis (`NX: true`, or `condition: 'NX'` since version 5) and Upstash (`nx: true`). */
function optionEdit(unit: Unit, options: ts.Expression | undefined): Suggestion['edits'][number] | undefined {
  const { ts } = unit;
  const object = options && bare(unit, options);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties) {
    if (!ts.isPropertyAssignment(property)) continue;
    const text = optionText(unit, property);
    if (text !== undefined) return { start: property.end, end: property.end, text };
  }
  return undefined;
}

function optionText(unit: Unit, { name, initializer }: ts.PropertyAssignment): string | undefined {
  switch (nameText(unit, name)) {
    case 'NX': return `, PX: ${MILLISECONDS}`;
    case 'nx': return `, px: ${MILLISECONDS}`;
    case 'condition': {
      const quote = initializer.getText(unit.file).startsWith('"') ? '"' : '\'';
      return `, expiration: { type: ${quote}PX${quote}, value: ${MILLISECONDS} }`;
    }
    default: return undefined;
  }
}
