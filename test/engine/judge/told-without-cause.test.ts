import { describe, expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';
import { said } from './said.js';

/** The rules that find fault with a text, with their places. */
function faults(text: string): string[] {
  return analyseText('/p/a.ts', text).sites.flatMap(({ outcomes, place }) => Object.entries(outcomes).filter(([, o]) => o.status === 'violated').map(([rule]) => `${rule} ${String(place.line)}`));
}

describe('slots that are kept in memory', () => {
  const slots = (result: string, touched: string): string => `interface Slot { commit(id: string): void; release(): void }
interface Slots { reserve(apiKey: string): ${result}; touch(sessionId: string): ${touched}; remove(sessionId: string): void }
declare function connect(): Promise<void>;
export async function open(slots: Slots, apiKey: string, sessionId: string): Promise<void> {
  const slot = await slots.reserve(apiKey);
  await connect();
  slot.release();
  slots.touch(sessionId);
}
`;

  it('are no locks of a store', () => {
    expect(faults(slots('Slot', 'void'))).toEqual([]);
    expect(faults(slots('Promise<Slot>', 'Promise<void>'))).toContain('require-release 5');
  });
});

describe('an owner that nothing else of its lock asks for', () => {
  const cooldown = (free: string): string => `interface Cooldown { claim(key: string, value: string): Promise<boolean>; ${free} }
declare function send(id: string): Promise<void>;
export async function alert(cooldown: Cooldown, id: string): Promise<void> {
  if (!(await cooldown.claim(id, 'on'))) return;
  await send(id);
}
`;

  it('need not be unique', () => {
    expect(said(cooldown('delete(key: string): Promise<void>'), 'require-unique-owner', 'A')).toEqual(['whether anything compares the owner of `id`']);
    expect(said(cooldown('release(key: string, value: string): Promise<void>'), 'require-unique-owner', 'A')).toEqual(['violated']);
  });
});

describe('a renewal in the name of a field', () => {
  const lease = (before: string, after: string): string => `import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
const redis = new Redis();
const RENEW = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('pexpire', KEYS[1], ARGV[2]) end return 0";
export class Lease {
  private current: string | null = null;
  async hold(): Promise<boolean> {
    ${before}
    const token = randomUUID();
    if ((await redis.set('lease', token, 'PX', 30000, 'NX')) !== 'OK') return false;
    ${after}
    return true;
  }
}
`;
  const renew = "if (this.current !== null && Number(await redis.eval(RENEW, 1, 'lease', this.current, '30000')) === 1) return true;";

  it('before the acquire is of an earlier acquire', () => {
    expect(faults(lease(renew, 'this.current = token;')).filter((f) => f.startsWith('require-release-owner'))).toEqual([]);
    expect(faults(lease('', renew)).filter((f) => f.startsWith('require-release-owner'))).toEqual(['require-release-owner 11']);
  });
});

describe('a lock of a transaction or session', () => {
  const LOCK = "SELECT pg_advisory_xact_lock(hashtext($1))";

  it('may run on whatever the maker of the object handed over', () => {
    const locks = (type: string): string => `import type { Prisma, PrismaClient } from '@prisma/client';
type Handle = ${type};
export class Defaults {
  constructor(private readonly prisma: Handle) {}
  async lock(id: string): Promise<void> {
    await this.prisma.$executeRaw\`SELECT pg_advisory_xact_lock(hashtext(\${id}))\`;
  }
}
`;
    expect(said(locks('PrismaClient | Prisma.TransactionClient'), 'require-pinned-connection', 'A')[0]).toMatch(/^which connection/);
    expect(said(locks('PrismaClient'), 'require-pinned-connection', 'A')).toEqual(['violated']);
  });

  it.each([
    ['is in doubt on a pool that the call made for itself', 'const pool = makePool();', "await pool.query('BEGIN');", /^which connection/],
    ['is lost there without BEGIN', 'const pool = makePool();', '', /^violated$/],
    ['is lost on a pool that all calls share', 'const pool = sharedPool();', "await pool.query('BEGIN');", /^violated$/],
  ])('%s', (_, made, begin, answer) => {
    const text = `import { Pool } from 'pg';
let shared: Pool | undefined;
function makePool(): Pool { const pool = new Pool({ max: 4 }); return pool; }
function sharedPool(): Pool { shared ??= new Pool({ max: 4 }); return shared; }
export async function run(id: string): Promise<void> {
  ${made}
  ${begin}
  await pool.query('${LOCK}', [id]);
  await pool.query('update accounts set balance = balance - 1 where id = $1', [id]);
  await pool.query('COMMIT');
}
`;
    expect(said(text, 'require-pinned-connection', 'A')[0]).toMatch(answer);
  });
});

describe('a lease that many hold at a time', () => {
  const leases = (take: string, answer = 'void', renew = 'await this.write(key, holderId);'): string => `interface Held { key: string }
class Leases {
  async acquire(key: string, holderId: string): Promise<${answer}> { ${take} }
  async renew(key: string, holderId: string): Promise<${answer}> { ${renew} }
  async release(key: string, holderId: string): Promise<boolean> { return this.drop(key, holderId); }
  private async write(key: string, holderId: string): Promise<void> { console.log(key, holderId); }
  private async drop(key: string, holderId: string): Promise<boolean> { return key !== holderId; }
}
export async function beat(leases: Leases, id: string, me: string): Promise<void> {
  try { await leases.renew(id, me); } catch (error) { console.warn(error); }
}
`;

  it('has an acquire that does what its renewal does', () => {
    const ignored = (text: string): string[] => faults(text).filter((f) => f.startsWith('no-ignored-extend'));
    expect(ignored(leases('await this.write(key, holderId);'))).toEqual([]);
    expect(ignored(leases('return this.drop(key, holderId);', 'boolean', 'return this.drop(key, holderId);'))).not.toEqual([]);
    expect(ignored(leases("if (this.isTaken(key)) throw new Error('taken'); await this.write(key, holderId);"))).toEqual(['no-ignored-extend-result 10']);
  });
});

describe('a release in two steps', () => {
  const free = (before: string): string => `import { Redis } from 'ioredis';
const redis = new Redis();
export async function run(id: string, token: string, work: () => Promise<void>): Promise<void> {
  if ((await redis.set(\`lock:\${id}\`, token, 'PX', 30000, 'NX')) !== 'OK') return;
  try { await work(); } finally { await free(id, token); }
}
async function free(id: string, token: string): Promise<void> {
  ${before}
  if ((await redis.get(\`lock:\${id}\`)) === token) await redis.del(\`lock:\${id}\`);
}
`;

  it('is in doubt behind one in a single step, for clients that cannot', () => {
    const SCRIPT = `if (typeof redis.eval === 'function') { await redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", 1, \`lock:\${id}\`, token); return; }`;
    const atomic = (text: string): string[] => faults(text).filter((f) => f.startsWith('require-atomic-release'));
    expect(atomic(free(''))).toEqual(['require-atomic-release 9']);
    expect(atomic(free(SCRIPT))).toEqual([]);
    expect(atomic(free(SCRIPT.replace("typeof redis.eval === 'function'", "token !== ''")))).toEqual(['require-atomic-release 9']);
  });
});

describe('a lock in a row', () => {
  const freeze = (columns: string): string => `import { PrismaClient } from '@prisma/client';
const db = new PrismaClient();
export async function freeze(id: string, userId: string): Promise<void> {
  const plan = await db.plan.findUnique({ where: { id } });
  if (!plan || plan.lockedAt) return;
  await db.plan.update({ where: { id }, data: { lockedAt: new Date(), lockedBy: userId${columns} } });
}
`;

  it('is none where the row says who unlocked it last and why', () => {
    expect(faults(freeze('')).map((f) => f.split(' ')[0])).toContain('require-atomic-acquire');
    expect(faults(freeze(', unlockedAt: null, unlockReason: null')).map((f) => f.split(' ')[0])).not.toContain('require-atomic-acquire');
  });
});

describe('what stands between an acquire and its try', () => {
  const beat = (start: string): string => `import { Redis } from 'ioredis';
const redis = new Redis();
export class Runner {
  async run(id: string, token: string, work: () => Promise<void>): Promise<void> {
    if ((await redis.set(\`lock:\${id}\`, token, 'PX', 30000, 'NX')) !== 'OK') return;
    const timer = this.start(id);
    try { await work(); } finally {
      clearInterval(timer);
      await redis.eval("if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0", 1, \`lock:\${id}\`, token);
    }
  }
  private start(id: string): NodeJS.Timeout { ${start} }
}
`;

  it('may be a method of the class that throws nothing', () => {
    const leaks = (text: string): string[] => faults(text).filter((f) => f.startsWith('require-release '));
    expect(leaks(beat('const timer = setInterval(() => console.log(id), 1000); timer.unref(); return timer;'))).toEqual([]);
    expect(leaks(beat('return connectTimer(id);'))).toEqual(['require-release 5']);
  });
});

describe('a lock that a maker of queries takes', () => {
  const queries = (others: string): string => `import { Pool } from 'pg';
const pool = new Pool();
function makeQueries(db: { query(text: string, values: unknown[]): Promise<unknown> }) {
  const lockRow = async (id: string): Promise<void> => { await db.query('select id from jobs where id = $1 for update', [id]); };
  return { lockRow };
}
export const queries = makeQueries(pool);
${others}
`;

  it('is in doubt where the maker is handed a transaction too', () => {
    const pinned = (text: string): string[] => said(text, 'require-pinned-connection', 'A');
    expect(pinned(queries(''))).toEqual(['violated']);
    expect(pinned(queries("export async function move(id: string): Promise<void> {\n  const client = await pool.connect();\n  await client.query('BEGIN');\n  await makeQueries(client).lockRow(id);\n  await client.query('COMMIT');\n}"))[0]).toMatch(/^which connection/);
  });
});

describe('a lock on a handle that is made of another one', () => {
  const text = (body: string): string => `import { Kysely } from 'kysely';
import { db, em } from './db.js';
declare function kyselyOf(em: unknown): Kysely<{ jobs: { id: string } }>;
export async function move(id: string): Promise<void> {
  await em.transactional(async (tx) => {
    ${body}
  });
}
`;
  const pinned = (source: string): string[] => said(source, 'require-pinned-connection', 'A');
  const lock = "await k.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();";

  it('is in doubt: it mostly runs where that one does', () => {
    expect(pinned(text(`const k = kyselyOf(tx);\n    ${lock}`))[0]).toMatch(/^which connection/);
    expect(pinned(text(`const k: Kysely<{ jobs: { id: string } }> = tx.getKysely();\n    ${lock}`))[0]).toMatch(/^which connection/);
    expect(pinned(text(`const k = kyselyOf(process.env);\n    ${lock}`))).toEqual(['violated']);
  });

  it('is in doubt where callers hand that one over', () => {
    const handed = (parameter: string): string => `import { Kysely } from 'kysely';
import type { EntityManager } from './orm.js';
declare function kyselyOf(of: unknown): Kysely<{ jobs: { id: string } }>;
export async function move(${parameter}: EntityManager, id: string): Promise<void> {
  const k = kyselyOf(${parameter});
  ${lock}
}
`;
    expect(pinned(handed('em'))[0]).toMatch(/^which connection/);
    expect(pinned(handed('options'))).toEqual(['violated']);
  });

  it('runs in the transaction that is asserted before it', () => {
    const status = (before: string): string => `import { Kysely } from 'kysely';
interface Database { readonly db: Kysely<{ jobs: { id: string } }>; assertTransaction(): void }
export async function status(database: Database, id: string): Promise<void> {
  ${before}
  await database.db.selectFrom('jobs').select('id').where('id', '=', id).forUpdate().execute();
}
`;
    expect(pinned(status('database.assertTransaction();'))).toEqual(['verified']);
    expect(pinned(status(''))).toEqual(['violated']);
    expect(pinned(status("if (id === '') { database.assertTransaction(); }"))).toEqual(['violated']);
  });
});

describe('the tag of an object of the house', () => {
  it('answers what it likes: nothing says that a count was dropped', () => {
    const end = (head: string): string => `${head}
export class Agent extends Base {
  async end(id: string): Promise<void> {
    await this.sql\`UPDATE job_runs SET status = 'done' WHERE id = \${id} AND status = 'running'\`;
    await this.mail(id);
  }
}
`;
    const ignored = (source: string): string[] => faults(source).filter((f) => f.startsWith('no-ignored-cas'));
    expect(ignored(end("import type { Sql } from 'postgres';\nimport { Base } from './base.js';"))).toEqual(['no-ignored-cas-result 5']);
    expect(ignored(end("import { Base } from './base.js';"))).toEqual([]);
  });
});

describe('a lock that is asked for in a pipeline', () => {
  it('answers in a list: what its index says is not followed', () => {
    const claim = (chain: string, test: string): string => `import { Redis } from 'ioredis';
const redis = new Redis();
export async function claim(id: string, work: (data: string) => Promise<void>): Promise<boolean> {
  const replies = await redis${chain}.set(\`lock:\${id}\`, '1', 'EX', 60, 'NX')${chain === '' ? '' : '.exec()'};
  ${test}
  await work(id);
  return true;
}
`;
    const ignored = (source: string): string[] => faults(source).filter((f) => f.startsWith('no-ignored-acquire'));
    expect(ignored(claim('.pipeline().get(`data:${id}`)', "if (replies?.[1]?.[1] !== 'OK') return false;"))).toEqual([]);
    const old = (source: string): string => source.replace("set(`lock:${id}`, '1', 'EX', 60, 'NX')", "setnx(`lock:${id}`, '1')");
    expect(ignored(old(claim('.pipeline().get(`data:${id}`)', "if (replies?.[1]?.[1] !== 1) return false;")))).toEqual([]);
    expect(ignored(old(claim('', 'console.log(replies);')))).toEqual(['no-ignored-acquire-result 4']);
    expect(ignored(claim('', 'console.log(replies);'))).toEqual(['no-ignored-acquire-result 4']);
  });
});
