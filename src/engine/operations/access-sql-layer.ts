import type { Unit } from '../syntax/unit.js';
import { importsPackage } from './access-orm-chain.js';
import type { SqlRun } from './access-sql-run.js';

/** Database packages by the name of their layer; the first that the file imports wins. */
const PACKAGES: readonly (readonly [string, RegExp])[] = [
  ['prisma', /^@prisma\//],
  ['drizzle', /^drizzle-orm/],
  ['kysely', /^kysely/],
  ['knex', /^(?:knex|objection)$/],
  ['typeorm', /^(?:typeorm|@nestjs\/typeorm)$/],
  ['sequelize', /^(?:sequelize|sequelize-typescript|@sequelize\/core)$/],
  ['mikro-orm', /^@mikro-orm\//],
  ['postgres.js', /^postgres$/],
  ['mysql2', /^(?:mysql2|mysql|mariadb)(?:\/|$)/],
  ['sqlite', /^(?:better-sqlite3|sqlite3|sqlite|node:sqlite|bun:sqlite|@libsql\/client|expo-sqlite|@cloudflare\/workers-types)(?:\/|$)/],
  ['pg', /^(?:pg|pg-pool|pg-promise|@vercel\/postgres|@neondatabase\/serverless|@electric-sql\/pglite|slonik)(?:\/|$)/],
];

export interface SqlLayer {
  readonly layer: string;
  readonly evidence: 'package' | 'shape';
}

/** The library that runs the text: by its unmistakable method, else by the imports of the file. */
export function layerOf(run: SqlRun): SqlLayer {
  const { unit } = run;
  const spelled = spelledLayer(run);
  if (spelled !== undefined) return { layer: spelled, evidence: isImported(unit, spelled) ? 'package' : 'shape' };
  const imported = PACKAGES.find(([layer]) => isImported(unit, layer));
  return imported === undefined ? { layer: 'sql', evidence: 'shape' } : { layer: imported[0], evidence: 'package' };
}

function spelledLayer(run: SqlRun): string | undefined {
  if (/^\$(?:query|execute)Raw/.test(run.method)) return 'prisma';
  if (run.spelling === 'executed-tag') return isImported(run.unit, 'slonik') ? 'sql' : 'kysely';
  if (run.spelling === 'prepared') return 'sqlite';
  return run.spelling === 'tag' && !isImported(run.unit, 'pg') && /^(?:sql|tx|trx|pg)$/.test(run.method) ? 'postgres.js' : undefined;
}

export function isImported(unit: Unit, layer: string): boolean {
  const known = PACKAGES.find(([name]) => name === layer);
  return known !== undefined && importsPackage(unit, known[1]);
}
