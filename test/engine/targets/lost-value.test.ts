import { expect, test } from 'vitest';
import { fileTransitions } from '../../../src/engine/targets/file-transitions.js';
import { losesValueOf } from '../../../src/engine/targets/lost-value.js';
import { unitOf } from './hand-made.js';

test.each([
  ['its column', "status: 'done', progress: {}, updatedAt: new Date()", true],
  ['the time of the update alone', "status: 'done', updatedAt: new Date()", false],
  ['other columns', "status: 'done'", false],
])('a value made of the old one is lost to who writes %s: %#', (_, set, isLost) => {
  const [merge, other] = fileTransitions(unitOf(`import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { stepRuns } from './schema.js';
const db = drizzle(process.env.URL);
export async function merge(id, part) {
  const run = await db.query.stepRuns.findFirst({ where: eq(stepRuns.id, id) });
  await db.update(stepRuns).set({ progress: { ...run.progress, [part]: true }, updatedAt: new Date() }).where(eq(stepRuns.id, id));
}
export async function other(id) {
  const run = await db.query.stepRuns.findFirst({ where: eq(stepRuns.id, id) });
  if (run.status !== 'running') return;
  await db.update(stepRuns).set({ ${set} }).where(eq(stepRuns.id, id));
}
`)).transitions;
  expect(merge?.gate.kind).toBe('read-modify-write');
  expect(merge && other && losesValueOf(merge, other)).toBe(isLost);
});
