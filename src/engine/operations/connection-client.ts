import type ts from 'typescript';
import { bare, propertyOf } from '../syntax/expression.js';
import type { Unit } from '../syntax/unit.js';
import { chainOf, objectOf, stepNamed, type Chain } from './access-orm-chain.js';
import { sqlRunOf } from './access-sql-run.js';
import type { AccessNode } from './state-access.js';

/**
 * The expression a statement runs on. `in-options`: the library takes the transaction as an option, and the options in sight have none. Undefined where the code does not
 * show it.
 */
export type ClientOfStatement = { readonly kind: 'on'; readonly client: ts.Expression } | { readonly kind: 'in-options'; readonly client: ts.Expression };

export function clientOfStatement(unit: Unit, node: AccessNode, layer?: string): ClientOfStatement | undefined {
  const run = sqlRunOf(unit, node);
  if (run !== undefined) {
    const given = run.options && propertyOf(unit, run.options, 'transaction');
    if (given !== undefined) return { kind: 'on', client: given };
    if (run.options !== undefined && hasSpread(unit, run.options)) return undefined;
    return run.client && { kind: 'on', client: run.client };
  }
  const chain = unit.ts.isCallExpression(node) ? chainOf(unit, node) : undefined;
  return chain && clientOfChain(chain, layer);
}

const STARTS = ['select', 'selectDistinct', 'selectFrom', 'update', 'updateTable', 'delete', 'deleteFrom', 'insert', 'insertInto', 'createQueryBuilder', 'getRepository', 'withRepository'];

function clientOfChain(chain: Chain, layer: string | undefined): ClientOfStatement | undefined {
  const { unit, steps, last } = chain;
  const transacting = stepNamed(chain, 'transacting')?.args[0];
  if (transacting !== undefined) return { kind: 'on', client: transacting };
  if (layer === 'knex') return { kind: 'on', client: steps[0].call.expression };
  if (layer === 'sequelize') return inOptions(unit, chain);
  const start = layer === 'drizzle' || layer === 'kysely' || steps.length > 1 ? steps.find((s) => STARTS.includes(s.name)) : undefined;
  const receiver = start?.receiver ?? last.receiver;
  if (receiver === undefined) return undefined;
  const on = bare(unit, receiver);
  // `tx.step.update(..)` of Prisma, `db.query.steps.findFirst(..)`: the model stands between.
  if (layer === 'prisma' && unit.ts.isPropertyAccessExpression(on) && on.expression.kind !== unit.ts.SyntaxKind.ThisKeyword) return { kind: 'on', client: on.expression };
  return { kind: 'on', client: on };
}

function inOptions(unit: Unit, { last }: Chain): ClientOfStatement | undefined {
  const objects = last.args.map((a) => objectOf(unit, a)).filter((o) => o !== undefined);
  const given = objects.map((o) => propertyOf(unit, o, 'transaction')).find((t) => t !== undefined);
  if (given !== undefined) return { kind: 'on', client: given };
  if (objects.length < last.args.length - 1 || objects.some((o) => hasSpread(unit, o)) || last.receiver === undefined) return undefined;
  return { kind: 'in-options', client: last.receiver };
}

function hasSpread(unit: Unit, object: ts.ObjectLiteralExpression): boolean {
  return object.properties.some((p) => unit.ts.isSpreadAssignment(p));
}
