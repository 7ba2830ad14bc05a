import type { z } from 'zod';
import type { LockModel, LockOperationModel } from '../engine/models.js';

/** What a lock model says has to fit together: a field that its operation has no use for would be heeded by nobody. */
export function checkLocks(locks: readonly LockModel[], context: z.core.$RefinementCtx): void {
  const ids = new Set<string>();
  const calls = new Set<string>();
  locks.forEach((lock, at) => {
    if (ids.has(lock.id)) tell([at, 'id'], `is \`${lock.id}\`, which another lock is called already: give each its own`);
    ids.add(lock.id);
    const takes = lock.operations.some((o) => o.op === 'acquire' || o.op === 'run');
    lock.operations.forEach((operation, index) => {
      const path = [at, 'operations', index];
      const called = `${lock.package ?? ''} ${operation.call}`;
      if (!operation.call.startsWith('#') && calls.has(called)) tell([...path, 'call'], `is \`${operation.call}\`, which is described already: describe each call once`);
      calls.add(called);
      const useless = FIELDS.find((field) => operation[field] !== undefined && !USES[operation.op].includes(field));
      if (useless !== undefined) tell([...path, useless], `says nothing of \`op: '${operation.op}'\`: leave it out or change \`op\``);
      if (operation.call.startsWith('#') && (operation.op === 'acquire' || operation.op === 'run')) tell([...path, 'call'], 'cannot be of what an acquire gave, since it takes the lock itself: name the function or the type');
      if (operation.call.startsWith('#') && !takes) tell([...path, 'call'], 'speaks of what an acquire gave, and this lock has no `acquire`: add it');
      if (operation.handle !== undefined && operation.key !== undefined) tell([...path, 'handle'], 'stands beside `key`: a call finds its lock by one of them');
    });
  });

  function tell(path: readonly (string | number)[], message: string): void {
    context.addIssue({ code: 'custom', path: [...path], message });
  }
}

const FIELDS = ['key', 'owner', 'ttl', 'body', 'handle', 'result', 'ownerCheck', 'ifNotHeld', 'renews'] as const satisfies readonly (keyof LockOperationModel)[];
type Field = (typeof FIELDS)[number];

const USES: Readonly<Record<LockOperationModel['op'], readonly Field[]>> = {
  acquire: ['key', 'owner', 'ttl', 'result', 'renews'],
  run: ['key', 'owner', 'ttl', 'body', 'result', 'renews'],
  release: ['key', 'owner', 'handle', 'ownerCheck', 'ifNotHeld'],
  extend: ['key', 'owner', 'handle', 'ttl', 'ownerCheck'],
};
