import { describe, expect, it } from 'vitest';
import { rules } from '../../rules/index.js';
import { questionsOf } from '../../src/review/questions.js';
import { judgedOutcomes } from '../../src/review/tally.js';
import type { Question } from '../../src/review/types.js';
import { analyseText } from '../fixtures/front-ends.js';

/** The questions about one file, by the line that answers each. */
function questions(text: string): Map<string, Question> {
  const { sites } = analyseText('/src/asked.ts', text);
  return new Map(questionsOf(judgedOutcomes(sites, rules), (id) => id, (sentence) => sentence).map((q) => [q.answer, q]));
}

describe('questions', () => {
  it('ask once about an API whose source is not there, whatever rule wants to know', () => {
    const asked = questions(`
import { acquireTurn, releaseTurn } from 'house-locks';
export async function one(id: string, ttl: number, owner: string): Promise<void> {
  if (await acquireLock(id, owner, ttl)) await releaseLock(id, owner);
}
import { acquireLock, releaseLock } from 'house-locks';
export async function two(id: string, ttl: number, owner: string): Promise<void> {
  if (await acquireLock(id, owner, ttl)) await releaseLock(id, owner);
}
`);
    const about = [...asked.values()].filter((q) => q.question.includes('`acquireLock`'));
    expect(about).toHaveLength(1);
    expect(about[0]?.settles).toHaveLength(2);
    expect(about[0]?.unknowns).toBeGreaterThan(2);
    expect(about[0]?.answer).toMatch(/^locks: \[\{ id: 'acquireLock', operations: \[\{ op: 'acquire', call: 'acquireLock'/);
  });

  it('ask for the tag that settles who may write a table', () => {
    const asked = questions(`
import { Pool } from 'pg';
declare const pool: Pool;
export async function claim(id: string): Promise<boolean> {
  const { rowCount } = await pool.query("UPDATE runs SET status = 'running' WHERE id = $1 AND status = 'queued'", [id]);
  return rowCount === 1;
}
`);
    expect([...asked.keys()]).toContain('@requiresLock <parameter> or @singleWriter <reason> (on the function that writes)');
  });
});
