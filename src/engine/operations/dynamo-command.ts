import type ts from 'typescript';
import { bare, followed, nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { textOf } from './access-orm-chain.js';
import type { ColumnAssignment, ColumnCondition } from './state-access.js';

const COMMANDS = /^(Put|Update|Delete)(?:Item)?Command$/;
const METHODS = /^(put|update|delete)(?:Item)?$/;

/** One item that a call puts, updates or deletes. */
export interface SentItem {
  readonly verb: 'put' | 'update' | 'delete';
  readonly input: ts.Expression;
  readonly client: ts.Expression;
}

/** `client.send(new PutCommand({ .. }))`, `documents.put({ .. }).promise()`. */
export function sentItem(unit: Unit, call: ts.CallExpression): SentItem | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const [first] = call.arguments;
  if (!ts.isPropertyAccessExpression(callee) || first === undefined) return undefined;
  const name = callee.name.text;
  if (name === 'send') {
    const command = followed(unit, first);
    const made = ts.isNewExpression(command) ? COMMANDS.exec(command.expression.getText(unit.file).replace(/^.*\./, '')) : null;
    const input = ts.isNewExpression(command) ? command.arguments?.[0] : undefined;
    return made?.[1] === undefined || input === undefined ? undefined : { verb: verbOf(made[1]), input, client: callee.expression };
  }
  const verb = METHODS.exec(name)?.[1];
  return verb === undefined || !unit.says(/\bdynamo|\bdocument|@aws-sdk|aws-sdk/i) ? undefined : { verb: verbOf(verb), input: first, client: callee.expression };
}

function verbOf(word: string): SentItem['verb'] {
  return /^put$/i.test(word) ? 'put' : /^update$/i.test(word) ? 'update' : 'delete';
}

/** The attributes of an item or key; `{ S: value }` of the plain client is the value. */
export function attributes(unit: Unit, node: ts.Expression | undefined): ColumnAssignment[] {
  const { ts } = unit;
  const object = node && followed(unit, node);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return [];
  return object.properties.flatMap((p): ColumnAssignment[] => {
    const value = ts.isPropertyAssignment(p) ? p.initializer : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
    return value === undefined || p.name === undefined ? [] : [assigned(unit, nameText(unit, p.name), value)];
  });
}

function assigned(unit: Unit, column: string, node: ts.Expression): ColumnAssignment {
  const value = plain(unit, node);
  return { column, value: termOf(unit, value), node: value, source: 'code' };
}

function plain(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = bare(unit, node);
  const inner = ts.isObjectLiteralExpression(e) && e.properties.length === 1 ? ['S', 'N', 'BOOL'].map((k) => propertyOf(unit, e, k)).find((v) => v !== undefined) : undefined;
  return inner === undefined ? e : numberText(unit, inner);
}

/** `String(x)`, `x.toString()`: numbers travel as text. */
function numberText(unit: Unit, node: ts.Expression): ts.Expression {
  const { ts } = unit;
  const e = bare(unit, node);
  if (!ts.isCallExpression(e)) return e;
  const callee = bare(unit, e.expression);
  if (ts.isPropertyAccessExpression(callee) && callee.name.text === 'toString') return bare(unit, callee.expression);
  return ts.isIdentifier(callee) && callee.text === 'String' && e.arguments[0] !== undefined ? bare(unit, e.arguments[0]) : e;
}

/** The text of the condition, where it is spelled in place. */
export function conditionText(unit: Unit, input: ts.ObjectLiteralExpression): string | undefined {
  const node = propertyOf(unit, input, 'ConditionExpression');
  const term = node && termOf(unit, node);
  return term?.kind === 'const' && typeof term.value === 'string' ? term.value : undefined;
}

/** The comparisons of a condition. Beside an OR each of them may not hold. */
export function conditionsOf(unit: Unit, input: ts.ObjectLiteralExpression, text: string): ColumnCondition[] {
  const either = /\bOR\b/i.test(text);
  return [...text.matchAll(/(#?[\w.]+)\s*(<=|>=|<>|=|<|>)\s*(:\w+)/g)].map(([, name = '', sign = '', bound = '']): ColumnCondition => {
    const value = valueNamed(unit, input, bound);
    return { column: columnNamed(unit, input, name), op: OPS[sign] ?? 'other', values: value === undefined ? [] : [termOf(unit, value)], source: 'code', mayBeAbsent: either };
  });
}

const OPS: Readonly<Record<string, ColumnCondition['op']>> = { '=': 'eq', '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte', '<>': 'ne' };

/** What an UpdateExpression sets and removes. */
export function updates(unit: Unit, input: ts.ObjectLiteralExpression): ColumnAssignment[] {
  const node = propertyOf(unit, input, 'UpdateExpression');
  const term = node && termOf(unit, node);
  const text = term?.kind === 'const' && typeof term.value === 'string' ? term.value : '';
  const [kept = '', removed = ''] = text.split(/\bREMOVE\b/i);
  const set = [...kept.matchAll(/(#?[\w.]+)\s*=\s*(:\w+)/g)].map(([, name = '', bound = '']): ColumnAssignment => {
    const column = columnNamed(unit, input, name);
    const value = valueNamed(unit, input, bound);
    return value === undefined ? { column, value: undefined, node: undefined, source: 'code' } : assigned(unit, column, value);
  });
  const cleared = [...removed.matchAll(/#?[\w.]+/g)].map(([name]): ColumnAssignment => ({ column: columnNamed(unit, input, name), value: { kind: 'const', value: null }, node: undefined, source: 'code' }));
  return [...set, ...cleared];
}

/** The attribute behind a name of an expression: `#s` stands for what ExpressionAttributeNames says. */
export function columnNamed(unit: Unit, input: ts.ObjectLiteralExpression, name: string): string {
  if (!name.startsWith('#')) return name;
  const names = propertyOf(unit, input, 'ExpressionAttributeNames');
  const object = names && followed(unit, names);
  const given = object !== undefined && unit.ts.isObjectLiteralExpression(object) ? propertyOf(unit, object, name) : undefined;
  return (given && textOf(unit, given)) ?? name.slice(1);
}

/** The expression behind a value of an expression: `:to` stands for what ExpressionAttributeValues says. */
export function valueNamed(unit: Unit, input: ts.ObjectLiteralExpression, bound: string): ts.Expression | undefined {
  const values = propertyOf(unit, input, 'ExpressionAttributeValues');
  const object = values && followed(unit, values);
  const given = object !== undefined && unit.ts.isObjectLiteralExpression(object) ? propertyOf(unit, object, bound) : undefined;
  return given && plain(unit, given);
}
