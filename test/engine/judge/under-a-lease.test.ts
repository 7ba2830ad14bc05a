import { expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';

const REDIS = `import Redlock from 'redlock';
import type { Pool } from 'pg';
declare const redlock: Redlock;
declare const pool: Pool;
export async function close(id: string, settle: () => Promise<void>): Promise<void> {
  const lock = await redlock.acquire(['run:' + id], 30_000);
  try {
    const { rows } = await pool.query('SELECT status FROM runs WHERE id = $1', [id]);
    if (rows[0].status !== 'open') return;
    await settle();
    await pool.query("UPDATE runs SET status = 'closed' WHERE id = $1", [id]);
  } finally {
    await lock.release();
  }
}
`;
const SESSION = `import type { Pool } from 'pg';
declare const pool: Pool;
export async function close(id: string, settle: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [id]);
    const { rows } = await client.query('SELECT status FROM runs WHERE id = $1', [id]);
    if (rows[0].status === 'open') {
      await settle();
      await client.query("UPDATE runs SET status = 'closed' WHERE id = $1", [id]);
    }
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [id]);
  } finally {
    client.release();
  }
}
`;

it.each([['a lease', REDIS, 'the lease of line 6 has run out'], ['a lock of a session', SESSION, 'the lock of line 6 is lost with its connection']])('under %s the second worker is its next holder', (_, text, loss) => {
  const [write] = analyseText('/p/a.ts', text).sites.filter(({ facts }) => facts.subject === 'T');
  expect(write?.outcomes['require-cas']).toMatchObject({ status: 'violated', messageId: 'leased', secondLine: true, data: { loss } });
});
