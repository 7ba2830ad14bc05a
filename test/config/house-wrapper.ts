import type { LockModel } from '../../src/engine/models.js';

/** A wrapper whose source nobody sees: none of its names speaks of locks. */
export const HOUSE: LockModel = {
  id: 'acme',
  package: '@acme/turns',
  operations: [
    { op: 'acquire', call: 'Turns#enter', key: 'arg0', owner: 'arg1', ttl: { at: 'arg2.for', unit: 'ms' }, result: 'boolean' },
    { op: 'release', call: 'Turns#leave', key: 'arg0', owner: 'arg1', ifNotHeld: 'harmless' },
    { op: 'extend', call: 'Turns#stay', key: 'arg0', owner: 'arg1', ttl: { at: 'arg2', unit: 'ms' } },
  ],
};

/** Leaves the turn taken when the work throws, waits half a second instead of half a minute, and leaves without saying who. */
export const MISUSED = `import { Turns } from '@acme/turns';

const WAIT_SECONDS = 30;

export async function runStep(turns: Turns, stepId: string, worker: string, work: () => Promise<void>): Promise<void> {
  const mine = await turns.enter(stepId, worker, { for: WAIT_SECONDS });
  if (!mine) return;
  await work();
  await turns.leave(stepId);
}
`;

/** What has to be found in it: rule and line. */
export const FAULTS = ['require-ttl:6', 'require-release:8', 'require-release-owner:9'];

/** The same used as it should be. */
export const USED_WELL = `import { Turns } from '@acme/turns';

export async function runStep(turns: Turns, stepId: string, worker: string, work: () => Promise<void>): Promise<void> {
  const mine = await turns.enter(stepId, worker, { for: 30_000 });
  if (!mine) return;
  try {
    await work();
  } finally {
    await turns.leave(stepId, worker).catch(() => undefined);
  }
}
`;
