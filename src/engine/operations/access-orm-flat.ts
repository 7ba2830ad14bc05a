import type ts from 'typescript';
import { calleeOf } from '../syntax/declared-callee.js';
import { nameText, propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { patchOf, type Patch } from './access-orm-assign.js';
import { clientTerm, declaredType, lastSegment, objectOf, typeName, type Chain } from './access-orm-chain.js';
import { condition } from './access-orm-filter.js';
import { writeOf } from './access-orm-record.js';
import { declaredForm, signatureOf } from './access-orm-signature.js';
import type { ColumnCondition, StateWrite } from './state-access.js';

/** What Prisma itself takes beside `data`, and what Payload does. */
const OPTIONS = /^(?:where|collection|select|include|omit|limit|skipDuplicates|relationLoadStrategy|create|update|tx|db|client|transaction|prisma|trx|req|depth|locale|overrideAccess)$/;

/** `datasets.update({ id, projectId, data: { status } })`: a method of the house that takes the identity beside the values. */
export function flatUpdate(chain: Chain): StateWrite | undefined {
  const { unit, last, steps } = chain;
  const options = steps.length === 1 && last.name === 'update' && last.receiver !== undefined ? objectOf(unit, last.args[0]) : undefined;
  const data = options && propertyOf(unit, options, 'data');
  if (options === undefined || objectOf(unit, data) === undefined || propertyOf(unit, options, 'where') !== undefined) return undefined;
  const where = options.properties.flatMap((p) => identityOf(chain, p));
  if (where.length === 0) return undefined;
  const patch = patchOf(unit, data);
  return writeOf(chain, { layer: 'repository', evidence: 'name', target: rowsOf(chain), client: clientTerm(unit, last.receiver) }, 'update', { where, open: !passesOn(chain, patch) }, patch, declaredForm(unit, signatureOf(chain), false));
}

function identityOf({ unit }: Chain, p: ts.ObjectLiteralElementLike): readonly ColumnCondition[] {
  const { ts } = unit;
  const value = ts.isPropertyAssignment(p) ? p.initializer : ts.isShorthandPropertyAssignment(p) ? p.name : undefined;
  const name = p.name === undefined ? '' : nameText(unit, p.name);
  return value === undefined || name === 'data' || OPTIONS.test(name) ? [] : [condition(name, 'eq', [termOf(unit, value)])];
}

/** `datasets`; of a plain `repository` what its type calls it: `DatasetRepository`. */
function rowsOf({ unit, last }: Chain): string | undefined {
  const type = typeName(unit, declaredType(unit, last.receiver))?.replace(/^I(?=[A-Z][a-z])/, '').replace(HOUSE, '');
  const name = lastSegment(unit, last.receiver)?.replace(HOUSE, '');
  return [name, type].find((n) => n !== undefined && n !== '' && !/^(?:repository|repo|store|dao|db|prisma)$/i.test(n)) ?? lastSegment(unit, last.receiver);
}

const HOUSE = /(?:Repository|Repo|Store|Dao)$/;

/** The method can be read, and names none of the values itself: what it compares is what the call names. */
function passesOn({ unit, call }: Chain, { set }: Patch): boolean {
  const called = unit.ts.isCallExpression(call) ? calleeOf(unit, call) : undefined;
  const block = called?.body?.body;
  if (called === undefined || block === undefined) return false;
  const text = block.getText(called.signature.unit.file);
  return !set.some(({ column }) => new RegExp(`\\b${column.replace(/[^\w]/g, '')}\\b`).test(text));
}
