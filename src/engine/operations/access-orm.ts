import type ts from 'typescript';
import type { Unit } from '../syntax/unit.js';
import { azureTableAccess } from './access-doc-azure-table.js';
import { cosmosAccess } from './access-doc-cosmos.js';
import { dynamoAccess } from './access-doc-dynamo.js';
import { elasticAccess } from './access-doc-elastic.js';
import { entityAccess } from './access-doc-entity.js';
import { etcdAccess } from './access-doc-etcd.js';
import { firestoreAccess } from './access-doc-firestore.js';
import { objectAccess } from './access-doc-objects.js';
import { chainOf } from './access-orm-chain.js';
import { drizzleAccess } from './access-orm-drizzle.js';
import { knexAccess } from './access-orm-knex.js';
import { kyselyAccess } from './access-orm-kysely.js';
import { mikroAccess } from './access-orm-mikro.js';
import { mongoAccess } from './access-orm-mongo.js';
import { objectionAccess } from './access-orm-objection.js';
import { prismaAccess } from './access-orm-prisma.js';
import type { Layer } from './access-orm-record.js';
import { repositoryAccess } from './access-orm-repository.js';
import { saveAccess } from './access-orm-save.js';
import { sequelizeAccess } from './access-orm-sequelize.js';
import { supabaseAccess } from './access-orm-supabase.js';
import { transactionScope } from './access-orm-transaction.js';
import { typeormAccess } from './access-orm-typeorm.js';
import type { StateAccess } from './state-access.js';

/** Stores of documents, items and objects. */
const DOCUMENT_STORES: readonly Layer<StateAccess>[] = [dynamoAccess, entityAccess, firestoreAccess, cosmosAccess, elasticAccess, azureTableAccess, etcdAccess, objectAccess];

/** Unmistakable spellings first, hand-written stores last. */
const LAYERS: readonly Layer<StateAccess>[] = [
  transactionScope, kyselyAccess, objectionAccess, knexAccess, prismaAccess, drizzleAccess, ...DOCUMENT_STORES, mikroAccess, sequelizeAccess, mongoAccess, typeormAccess, saveAccess, supabaseAccess, repositoryAccess,
];

/**
 * A call of an ORM, query builder, document store or hand-written repository as a read, a write or a transaction of durable state. Only the
 * outermost call of a builder chain stands for it; inner calls give nothing. Decided by spelling and imports, without types.
 */
export function ormAccess(unit: Unit, call: ts.CallExpression): StateAccess | undefined {
  const chain = chainOf(unit, call);
  if (chain === undefined) return undefined;
  for (const layer of LAYERS) {
    const access = layer(chain);
    if (access !== undefined) return access;
  }
  return undefined;
}
