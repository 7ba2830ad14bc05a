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
import { chainOf, type Chain } from './access-orm-chain.js';
import { drizzleAccess } from './access-orm-drizzle.js';
import { knexAccess } from './access-orm-knex.js';
import { kyselyAccess } from './access-orm-kysely.js';
import { mikroAccess } from './access-orm-mikro.js';
import { mongoAccess } from './access-orm-mongo.js';
import { objectionAccess } from './access-orm-objection.js';
import { prismaAccess } from './access-orm-prisma.js';
import type { Layer } from './access-orm-record.js';
import { flatUpdate } from './access-orm-flat.js';
import { repositoryAccess } from './access-orm-repository.js';
import { saveAccess } from './access-orm-save.js';
import { sequelizeAccess } from './access-orm-sequelize.js';
import { supabaseAccess } from './access-orm-supabase.js';
import { transactionScope } from './access-orm-transaction.js';
import { typeormAccess } from './access-orm-typeorm.js';
import type { StateAccess } from './state-access.js';

interface AskedLayer {
  readonly layer: Layer<StateAccess>;
  /** A name that one step of every chain it takes has; absent where any name may do. */
  readonly names?: RegExp;
}

/** Stores of documents, items and objects. */
const DOCUMENT_STORES: readonly AskedLayer[] = [
  { layer: dynamoAccess, names: /^(?:send|(?:put|update|delete|get)(?:Item)?|transactWrite(?:Items)?)$/ },
  { layer: entityAccess, names: /^(?:update|patch|get)$/ },
  { layer: firestoreAccess, names: /^(?:(?:get|update|set|delete)(?:Doc)?)$/ },
  { layer: cosmosAccess, names: /^(?:replace|patch|upsert|read)$/ },
  { layer: elasticAccess, names: /^(?:update|index|get|delete)$/ },
  { layer: azureTableAccess, names: /^(?:update|upsert|get|delete)Entity$/ },
  { layer: etcdAccess, names: /^(?:commit|put|get)$/ },
  { layer: objectAccess, names: /^(?:send|putObject|getObject|save|download)$/ },
];

/** Unmistakable spellings first, hand-written stores last. */
export const ORM_LAYERS: readonly AskedLayer[] = [
  { layer: transactionScope, names: /^(?:\$transaction|transaction|transactional|withTransaction|runTransaction)$/ },
  { layer: kyselyAccess, names: /^(?:updateTable|deleteFrom|selectFrom|insertInto)$/ },
  { layer: objectionAccess, names: /^\$?query$/ },
  { layer: knexAccess },
  { layer: flatUpdate, names: /^update$/ },
  { layer: prismaAccess, names: /^(?:update(?:Many(?:AndReturn)?)?|upsert|delete(?:Many)?|find(?:First|Unique)(?:OrThrow)?|findMany|count)$/ },
  { layer: drizzleAccess, names: /^(?:update|insert|delete|select|selectDistinct|findFirst|findMany)$/ },
  ...DOCUMENT_STORES,
  { layer: mikroAccess, names: /^(?:createQueryBuilder|qb|native(?:Update|Delete)|find(?:One(?:OrFail)?|All)?|upsert)$/ },
  { layer: sequelizeAccess, names: /^(?:update|destroy|findByPk|findOne|findAll|count)$/ },
  { layer: mongoAccess, names: /^(?:(?:update|delete)(?:One|Many)|replaceOne|find(?:One|ById)?|findOneAnd(?:Update|Replace|Delete|Remove)|findByIdAnd(?:Update|Delete)|countDocuments|exists)$/ },
  { layer: typeormAccess, names: /^(?:createQueryBuilder|update|increment|decrement|delete|softDelete|upsert|findOne(?:By|OrFail|ByOrFail)?|find(?:By)?|findAndCount|count|countBy|exists?|existsBy)$/ },
  { layer: saveAccess, names: /^(?:flush|persistAndFlush|save|saveAndFlush)$/ },
  { layer: supabaseAccess, names: /^(?:update|upsert|delete|select)$/ },
  { layer: repositoryAccess, names: /^(?:transition|(?:save|persist|put|write|update)If|compareAnd|(?:update|set|change)(?:Status|State|Phase)|mark|persist|save|put|set|write|store)/ },
];

/**
 * A call of an ORM, query builder, document store or hand-written repository as a read, a write or a transaction of durable state. Only the
 * outermost call of a builder chain stands for it; inner calls give nothing. Decided by spelling and imports, without types.
 */
export function ormAccess(unit: Unit, call: ts.CallExpression): StateAccess | undefined {
  const chain = chainOf(unit, call);
  if (chain === undefined) return undefined;
  const asking = layersAsking(chain);
  for (let at = 0; at < ORM_LAYERS.length; at++) {
    const access = asking & (1 << at) ? ORM_LAYERS[at]?.layer(chain) : undefined;
    if (access !== undefined) return access;
  }
  return undefined;
}

/** The layers that may take a chain, by the names of its steps: a bit each, since most calls are of no layer at all. */
export function layersAsking({ steps }: Pick<Chain, 'steps'>): number {
  let asking = ANY_NAME;
  for (const { name } of steps) {
    let bits = byName.get(name);
    if (bits === undefined) byName.set(name, (bits = bitsOf(({ names }) => names?.test(name) === true)));
    asking |= bits;
  }
  return asking;
}

function bitsOf(asks: (layer: AskedLayer) => boolean): number {
  return ORM_LAYERS.reduce((bits, layer, at) => (asks(layer) ? bits | (1 << at) : bits), 0);
}

const ANY_NAME = bitsOf(({ names }) => names === undefined);
const byName = new Map<string, number>();
