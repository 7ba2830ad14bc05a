import type { TypeShape } from '../syntax/type-shape.js';
import { memberNames, present } from '../syntax/declared-member.js';

/**
 * What a declared type says of the connection behind a value. `pool`: each statement may run on another one. `root`: as `pool`, but the library hands transactions out
 * under the same type too; `manager` where such a one is usually injected. `session`: one connection. `transaction`: one connection with a transaction open on it. `either`: callers may hand over the one or the other.
 */
export type ConnectionType = 'pool' | 'root' | 'manager' | 'session' | 'transaction' | 'either' | 'unknown';

const TRANSACTION = /(?:Transaction|TransactionClient|TransactionSql|TransactionConnection|TransactionManager|TransactionalEntityManager|Tx|TxClient|Trx)$/;
const POOL = /(?:^|[a-z])Pool$|PrismaClient$|^(?:DataSource|Sequelize|IDatabase|DatabasePool|PrismaService)$/;
const SESSION = /^(?:PoolClient|Client|ClientBase|PoolConnection|QueryRunner|ReservedSql|VercelPoolClient|PGClient|PgClient)$/;
const ROOT = /^(?:Knex|Kysely|Sql|(?:NodePg|PostgresJs|MySql|MySql2|Pg|Pglite|PgLite|Neon\w*|Vercel\w*|Planetscale\w*|BunSQL)Database)$/;
/** Makers of packages whose result is a pool, by the package. */
const MAKERS: readonly (readonly [from: RegExp, name: RegExp])[] = [
  [/^knex$/, /^(?:default|knex)$/], [/^postgres$/, /^(?:default|postgres)$/], [/^drizzle-orm/, /^drizzle$/], [/^@vercel\/postgres$/, /^(?:sql|db|createPool)$/], [/^slonik$/, /^createPool$/],
  [/^mysql2?(?:\/|$)/, /^createPool$/], [/^@neondatabase\/serverless$/, /^neon$/],
];

export function connectionType(shape: TypeShape): ConnectionType {
  const type = present(shape);
  if (type.kind === 'union') {
    const all = new Set(type.members.map(connectionType));
    if (all.size === 1) return [...all][0] ?? 'unknown';
    return all.has('transaction') || all.has('session') ? 'either' : 'unknown';
  }
  if (type.kind === 'named') return byName(type.name, type.from);
  if (type.kind !== 'object') return 'unknown';
  const named = type.name === undefined ? 'unknown' : byName(type.name, undefined);
  return named === 'unknown' ? byMembers(new Set(memberNames(type))) : named;
}

function byName(name: string, from: string | undefined): ConnectionType {
  if (TRANSACTION.test(name)) return 'transaction';
  if (SESSION.test(name)) return 'session';
  // A repository or manager of TypeORM that is injected is the root's; the same types come from a transaction.
  if (/^(?:Repository|EntityManager)$/.test(name) && from === 'typeorm') return 'manager';
  if (name === 'Connection') return from === undefined ? 'unknown' : /^mysql2?|mariadb/.test(from) ? 'session' : from === 'typeorm' ? 'pool' : 'unknown';
  if (POOL.test(name)) return 'pool';
  if (from !== undefined && MAKERS.some(([f, n]) => f.test(from) && n.test(name))) return 'pool';
  return ROOT.test(name) ? 'root' : 'unknown';
}

/** Interfaces of the house that are shaped like a client. One that can only query may be anything. */
function byMembers(members: ReadonlySet<string>): ConnectionType {
  if (members.has('$transaction')) return 'pool';
  if (members.has('release') && members.has('query')) return 'session';
  if (members.has('connect') && members.has('query') && !members.has('end')) return 'pool';
  return 'unknown';
}
