import type ts from 'typescript';
import { bare, followed, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { importsPackage, lastSegment, textOf, type Chain } from './access-orm-chain.js';
import { both, condition, NO_FILTER, OPEN_FILTER, type Filter } from './access-orm-filter.js';
import { copiedBy } from './doc-body.js';
import { NO_PATCH, patchOf, type Patch } from './access-orm-assign.js';
import { ENTITY_FORM, readOf, writeOf, type LayerFacts } from './access-orm-record.js';
import { attributes, columnNamed, sentItem, updates } from './dynamo-command.js';
import { dynamoCondition } from './dynamo-condition.js';
import { handleOrThrowsForm } from './result-form.js';
import type { StateAccess, StateWrite } from './state-access.js';

const AWS = /^(?:@aws-sdk\/(?:client|lib)-dynamodb|aws-sdk)/;

/** `client.send(new UpdateCommand({..}))`, `documents.update({..}).promise()`, `new TransactWriteCommand({ TransactItems })`, `new GetCommand({..})`. */
export function dynamoAccess(chain: Chain): StateAccess | undefined {
  const { unit } = chain;
  const call = chain.last.name === 'promise' ? chain.steps.at(-2)?.call : chain.call;
  if (call === undefined) return undefined;
  const sent = sentItem(unit, call);
  const given = sent && literal(unit, sent.input);
  if (sent !== undefined && given !== undefined) return writeOfItem(chain, sent.verb, given, sent.client);
  return transactedWrite(chain, call) ?? itemRead(chain, call);
}

function literal(unit: Unit, node: ts.Expression): ts.ObjectLiteralExpression | undefined {
  const e = followed(unit, node);
  return unit.ts.isObjectLiteralExpression(e) ? e : undefined;
}

function writeOfItem(chain: Chain, verb: 'put' | 'update' | 'delete', input: ts.ObjectLiteralExpression, client: ts.Expression): StateWrite | undefined {
  const { unit } = chain;
  const facts = factsOf(unit, input, client);
  if (facts === undefined) return undefined;
  const guard = guardOf(unit, input);
  // An item that must not be there yet is inserted.
  if (verb === 'put' && !guard.open && guard.where.some((c) => c.op === 'is-null')) return undefined;
  const item = propertyOf(unit, input, 'Item');
  // An item that is put together here is a new one, as far as the code tells.
  if (verb === 'put' && guard === NO_FILTER && (item === undefined || copiedBy(unit, item) === undefined)) return undefined;
  const identity = verb === 'put' ? keyOf(unit, item) : identityOf(attributes(unit, propertyOf(unit, input, 'Key')));
  const filter = both([identity, guard]);
  const patch = verb === 'delete' ? NO_PATCH : verb === 'put' ? itemPatch(unit, item) : updatePatch(unit, input);
  const guarded = guard.where.length > 0 || guard.open;
  return writeOf(chain, facts, verb === 'put' ? 'upsert' : verb, filter, patch, guarded ? handleOrThrowsForm() : ENTITY_FORM, verb);
}

function factsOf(unit: Unit, input: ts.ObjectLiteralExpression, client: ts.Expression): LayerFacts | undefined {
  const table = propertyOf(unit, input, 'TableName');
  if (table === undefined) return undefined;
  return { layer: 'dynamodb', evidence: importsPackage(unit, AWS) ? 'package' : 'shape', target: textOf(unit, table) ?? lastSegment(unit, table), client: termOf(unit, client) };
}

/** The condition of a command; open where it is put together elsewhere, or set later on. */
function guardOf(unit: Unit, input: ts.ObjectLiteralExpression): Filter {
  const { ts } = unit;
  const node = propertyOf(unit, input, 'ConditionExpression');
  if (node === undefined) {
    const later = ts.isVariableDeclaration(input.parent) && ts.isIdentifier(input.parent.name) && unit.text.includes(`${input.parent.name.text}.ConditionExpression`);
    const expected = propertyOf(unit, input, 'Expected') !== undefined;
    return later || expected || input.properties.some((p) => ts.isSpreadAssignment(p)) ? OPEN_FILTER : NO_FILTER;
  }
  const text = textOf(unit, node);
  return text === undefined ? OPEN_FILTER : dynamoCondition(unit, input, text);
}

function identityOf(key: ReturnType<typeof attributes>): Filter {
  return { where: key.flatMap((a) => (a.value === undefined ? [] : [condition(a.column, 'eq', [a.value])])), open: false };
}

/** The attribute of an item that names it, or the loaded item whose key it has. */
function keyOf(unit: Unit, item: ts.Expression | undefined): Filter {
  const named = attributes(unit, item).filter((a) => /^_?(?:id|pk|sk|key)$|(?:Id|ID|_id|Key)$/i.test(a.column));
  if (named.length > 0) return identityOf(named.slice(0, 2));
  const loaded = item && copiedBy(unit, item);
  return loaded === undefined ? NO_FILTER : { where: [condition('id', 'eq', [termOf(unit, loaded)])], open: false };
}

/** `Item: { ..loaded, status }`, also behind `marshall(..)`. */
function itemPatch(unit: Unit, item: ts.Expression | undefined): Patch {
  const { ts } = unit;
  const e = item && followed(unit, item);
  if (e !== undefined && ts.isCallExpression(e) && e.arguments[0] !== undefined) return itemPatch(unit, e.arguments[0]);
  const plain = attributes(unit, item);
  return plain.length > 0 ? { set: plain, open: patchOf(unit, item).open } : patchOf(unit, item);
}

function updatePatch(unit: Unit, input: ts.ObjectLiteralExpression): Patch {
  const node = propertyOf(unit, input, 'UpdateExpression');
  const text = textOf(unit, node);
  if (node === undefined || text === undefined) return { set: [], open: true };
  const counted = [...text.matchAll(/(#?[\w.]+)\s*=\s*(#?[\w.]+)\s*[+-]\s*:\w+|\bADD\s+(#?[\w.]+)\s+:\w+/gi)].map(([, to, from, added]) => (to === from || added !== undefined ? added ?? to : undefined));
  const old = counted.filter((c) => c !== undefined).map((c) => ({ column: columnNamed(unit, input, c), value: undefined, node: undefined, source: 'old-value' as const }));
  return { set: [...updates(unit, input).filter((a) => !old.some((o) => o.column === a.column)), ...old], open: false };
}

/** The first item of a transaction that updates or replaces one that is there. */
function transactedWrite(chain: Chain, call: ts.CallExpression): StateWrite | undefined {
  const { unit } = chain;
  const { ts } = unit;
  const input = commandInput(unit, call, /^TransactWrite(?:Items)?Command$/, /^transactWrite(?:Items)?$/);
  const items = input && propertyOf(unit, input.given, 'TransactItems');
  const list = items && followed(unit, items);
  if (input === undefined || list === undefined || !ts.isArrayLiteralExpression(list)) return undefined;
  for (const element of list.elements) {
    const item = ts.isSpreadElement(element) ? undefined : literal(unit, element);
    for (const [name, verb] of [['Update', 'update'], ['Put', 'put']] as const) {
      const node = item && propertyOf(unit, item, name);
      const given = node && literal(unit, node);
      const write = given && writeOfItem(chain, verb, given, input.client);
      // A condition on the table's other items may be what guards this one.
      if (write !== undefined && write.set.length > 0) return hasCheck(list) ? { ...write, whereOpen: true } : write;
    }
  }
  return undefined;

  function hasCheck(all: ts.ArrayLiteralExpression): boolean {
    return /\bConditionCheck\b/.test(all.getText(unit.file)) || all.elements.some((e) => ts.isSpreadElement(e));
  }
}

function itemRead(chain: Chain, call: ts.CallExpression): StateAccess | undefined {
  const { unit } = chain;
  const input = commandInput(unit, call, /^Get(?:Item)?Command$/, /^get(?:Item)?$/);
  const facts = input && factsOf(unit, input.given, input.client);
  const key = input && propertyOf(unit, input.given, 'Key');
  return facts && key && readOf(chain, facts, identityOf(attributes(unit, key)), true);
}

interface CommandInput { readonly given: ts.ObjectLiteralExpression; readonly client: ts.Expression }

/** The object a command of AWS's client is made with, or that a method of the older client is called with. */
export function commandInput(unit: Unit, call: ts.CallExpression, commands: RegExp, methods: RegExp | undefined): CommandInput | undefined {
  const { ts } = unit;
  const callee = bare(unit, call.expression);
  const [first] = call.arguments;
  if (!ts.isPropertyAccessExpression(callee) || first === undefined) return undefined;
  const client = callee.expression;
  if (callee.name.text !== 'send') {
    const given = methods?.test(callee.name.text) === true ? literal(unit, first) : undefined;
    return given && { given, client };
  }
  const command = followed(unit, first);
  if (!ts.isNewExpression(command) || !commands.test(command.expression.getText(unit.file).replace(/^.*\./, ''))) return undefined;
  const input = command.arguments?.[0];
  const given = input && literal(unit, input);
  return given && { given, client };
}
