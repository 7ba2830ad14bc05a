import type ts from 'typescript';
import { propertyOf } from '../syntax/expression.js';
import { termOf } from '../syntax/term-of.js';
import { functionOf, importsPackage, lastSegment, objectOf, stepNamed, type Chain } from './access-orm-chain.js';
import type { TransactionScope } from './state-access.js';

const CALLS = /^(?:\$transaction|transaction|transactional|withTransaction|runTransaction)$/;
const CLIENT = /^(?:db|database|ds|dataSource|connection|conn|manager|em|entityManager|knex|sequelize|prisma|orm|session|trx|tx|client|pool)$|(?:db|source|manager|knex|prisma|sequelize|connection)$/i;
const STORES = /^(?:@prisma\/|drizzle-orm|typeorm|knex|kysely|sequelize|mongodb|mongoose|@mikro-orm\/|objection|@google-cloud\/firestore|firebase)/;

/** `$transaction(async tx => ..)`, `db.transaction(fn)`, `em.transactional(fn)`, Kysely's `db.transaction().execute(fn)`. */
export function transactionScope(chain: Chain): TransactionScope | undefined {
  const { unit, last, steps } = chain;
  const kysely = last.name === 'execute' && steps.some((s) => s.name === 'transaction' && s.args.length === 0);
  const call = kysely ? last : CALLS.test(last.name) && steps.length === 1 ? last : undefined;
  if (call === undefined || (call.receiver === undefined && call.name !== 'runTransaction')) return undefined;
  // The transaction of better-sqlite3 gives a function that is run later.
  if (importsPackage(unit, /^better-sqlite3$/) && !importsPackage(unit, STORES)) return undefined;
  const owner = lastSegment(unit, kysely ? steps[0].receiver : call.receiver) ?? '';
  if (last.name === 'transaction' && !CLIENT.test(owner) && !importsPackage(unit, STORES)) return undefined;
  const body = call.args.map((a) => functionOf(unit, a)).find((f) => f !== undefined);
  const batch = last.name === '$transaction' && call.args[0] !== undefined;
  if (body === undefined && !batch) return undefined;
  const parameter = body?.parameters[0]?.name;
  // A session of MongoDB is the handle itself.
  const session = last.name === 'withTransaction' && parameter === undefined && call.receiver !== undefined ? termOf(unit, call.receiver) : undefined;
  const client = parameter !== undefined && unit.ts.isIdentifier(parameter) ? termOf(unit, parameter) : session;
  return { kind: 'transaction', node: chain.call, body, client, isolation: isolationOf(chain, call.args), exclusive: false };
}

function isolationOf(chain: Chain, args: readonly ts.Expression[]): TransactionScope['isolation'] {
  const { unit } = chain;
  const level = stepNamed(chain, 'setIsolationLevel')?.args[0];
  const texts = [level, ...args].filter((a) => a !== undefined).filter((a) => functionOf(unit, a) === undefined).map((a) => {
    const options = objectOf(unit, a);
    const named = options && (propertyOf(unit, options, 'isolationLevel') ?? propertyOf(unit, options, 'behavior'));
    const node = options === undefined ? a : named;
    return node === undefined ? '' : `${node.getText(unit.file)} ${constantText(chain, node)}`;
  });
  if (texts.some((t) => /serializable/i.test(t))) return 'serializable';
  return texts.some((t) => /repeatable[ _]?read/i.test(t)) ? 'repeatable-read' : 'default';
}

function constantText(chain: Chain, node: ts.Expression): string {
  const t = termOf(chain.unit, node);
  return t.kind === 'const' ? String(t.value) : '';
}
