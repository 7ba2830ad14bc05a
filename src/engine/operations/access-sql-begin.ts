import type ts from 'typescript';
import { bare } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import type { Unit } from '../syntax/unit.js';
import { functionOf, importsPackage, textOf } from './access-orm-chain.js';
import type { TransactionScope } from './state-access.js';

/** `sql.begin(fn)` and `sql.begin('isolation level serializable', fn)` of postgres.js; `db.tx(fn)` of pg-promise. */
export function sqlBeginScope(unit: Unit, node: ts.CallExpression): TransactionScope | undefined {
  const { ts } = unit;
  const callee = bare(unit, node.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const begins = callee.name.text === 'begin' || (callee.name.text === 'tx' && importsPackage(unit, /^pg-promise$/));
  const body = begins ? node.arguments.slice(0, 2).map((a) => functionOf(unit, a)).find((f) => f !== undefined) : undefined;
  if (body === undefined) return undefined;
  const name = body.parameters[0]?.name;
  const options = textOf(unit, node.arguments[0]) ?? '';
  const isolation = /serializable/i.test(options) ? 'serializable' : /repeatable\s+read/i.test(options) ? 'repeatable-read' : 'default';
  return { kind: 'transaction', node, body, client: name !== undefined && ts.isIdentifier(name) ? termOf(unit, name) : undefined, isolation, exclusive: false };
}
