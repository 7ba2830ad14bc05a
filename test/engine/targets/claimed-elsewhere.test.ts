import { expect, test } from 'vitest';
import { fileTransitions } from '../../../src/engine/targets/file-transitions.js';
import { unitOf } from '../functions/hand-made.js';

const CLIENT = "import { PrismaClient } from '@prisma/client'; const prisma = new PrismaClient();";
const CLAIMS = `${CLIENT}
  export async function claimTask(taskId: string) {
    const { count } = await prisma.syncTask.updateMany({ where: { id: taskId, status: 'pending' }, data: { status: 'running' } });
    return count === 1;
  }`;
const RUN = `import { claimTask } from './claims'; ${CLIENT}
  export async function run(id: string, other: string) {
    CLAIM
    await work(id);
    await prisma.syncTask.update({ where: { id }, data: { status: 'completed' } });
  }`;

function protection(claim: string, { here = '', there = '' } = {}): string | undefined {
  const unit = unitOf({ 'run.ts': RUN.replace('CLAIM', claim) + here, 'claims.ts': CLAIMS + there });
  return fileTransitions(unit).transitions[0]?.protectedBy?.kind;
}

const HEEDED = 'if (!(await claimTask(id))) return;';
const CANCEL = "export async function cancel(id: string) { await prisma.syncTask.update({ where: { id }, data: { status: 'cancelled' } }); }";

test('a claim by a function of another file protects what follows', () => {
  expect(protection(HEEDED)).toBe('claimed-before');
});

test.each([
  ['nobody heeds', 'await claimTask(id);', {}],
  ['is one of another row', 'if (!(await claimTask(other))) return;', {}],
  ['stands in a branch', 'if (other) { const won = await claimTask(id); if (!won) return; }', {}],
  ['a cancel of this file takes', HEEDED, { here: CANCEL }],
  ['a cancel of its file takes', HEEDED, { there: CANCEL }],
])('a claim that %s protects nothing', (_, claim, more) => {
  expect(protection(claim, more)).toBeUndefined();
});
