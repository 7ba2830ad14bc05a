import { expect, it } from 'vitest';
import { analyseText } from '../../fixtures/front-ends.js';

const TIMER = `import type { Redis } from 'ioredis';
import type { Pool } from 'pg';

declare const redis: Redis;
declare const pool: Pool;
declare const token: string;
const FREE = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0";

/** On many machines a timer runs once a round: its lock keeps its own runs apart, and asks nothing of other writers. */
export async function expireRound(): Promise<void> {
  const won = await redis.set('lock:expire-round', token, 'PX', 30_000, 'NX');
  if (won !== 'OK') return;
  try {
    await pool.query("UPDATE export_jobs SET status = 'expired' WHERE deadline < now()");
  } finally {
    await redis.eval(FREE, 1, 'lock:expire-round', token);
  }
}

export async function finish(id: string): Promise<void> {
  await pool.query("UPDATE export_jobs SET status = 'done' WHERE id = $1", [id]);
}
`;

const EARLIER_TRY = `import type { Pool } from 'pg';

interface Mails { send(id: string): Promise<void> }

/** A miss is looked at, and some of the losers leave: the one that goes on was perhaps the winner of an earlier try. */
export async function broadcast(pool: Pool, mails: Mails, id: string, message: string, taken: string | null): Promise<void> {
  const { rowCount } = await pool.query("UPDATE campaign_runs SET status = 'sending', message_id = $2 WHERE id = $1 AND status = 'scheduled'", [id, message]);
  if (rowCount === 0) {
    if (taken !== message) return;
  }
  await mails.send(id);
}

export async function broadcastAll(pool: Pool, mails: Mails, id: string, message: string): Promise<void> {
  const { rowCount } = await pool.query("UPDATE campaign_runs SET status = 'sending', message_id = $2 WHERE id = $1 AND status = 'scheduled'", [id, message]);
  if (rowCount === 0) console.warn('somebody else sends it');
  await mails.send(id);
}
`;

it('A lock for all rows that one timer takes alone asks nothing of other writers', () => {
  expect(statuses(TIMER, 'require-lock', 'finish')).toEqual(['unknown']);
  // Two functions that take it make it the lock of the rows.
  const shared = `${TIMER}\n${TIMER.slice(TIMER.indexOf('export')).replace(/expireRound/, 'sweepRound').replace(/export async function finish[^]*$/, '')}`;
  expect(statuses(shared, 'require-lock', 'finish')).toEqual(['violated']);
});

it('A claim some of whose losers leave is not called misread; one whose losers all go on is', () => {
  expect(statuses(EARLIER_TRY, 'no-ignored-cas-result', 'broadcast')).toEqual(['unknown']);
  expect(statuses(EARLIER_TRY, 'no-ignored-cas-result', 'broadcastAll')).toEqual(['violated']);
});

function statuses(text: string, rule: string, fn: string): unknown[] {
  return analyseText('/p/a.ts', text).sites.filter((site) => site.facts.subject === 'T' && site.name === fn).map((site) => site.outcomes[rule]?.status);
}
