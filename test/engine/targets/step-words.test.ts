import { expect, test } from 'vitest';
import { isInFlight, isLifecycleColumn, isLockColumn, isStateColumn, isTerminal, isTokenColumn, nounOf, targetKey } from '../../../src/engine/targets/step-words.js';

test.each(['RUNNING', 'in-progress', 'inProgress', 'STEP_STATUS_QUEUED', 'publishing', 'JobState.Waiting'])('%s is in flight', (word) => {
  expect([isInFlight(word), isTerminal(word)]).toEqual([true, false]);
});

test.each(['Succeeded', 'timedOut', 'TIMED_OUT', 'STEP_STATUS_FAILED', 'cancelled'])('%s is final', (word) => {
  expect([isInFlight(word), isTerminal(word)]).toEqual([false, true]);
});

test('view states and members are neither', () => {
  expect(['idle', 'loading', 'trialing', 'banned', 'string'].filter((w) => isInFlight(w) || isTerminal(w))).toEqual([]);
});

test('columns by their names', () => {
  expect(['status', 'runState', 'job.phase', 'stage'].every(isStateColumn)).toBe(true);
  expect(['statusText', 'estate', 'id', 'lastRunStatus', 'previous_state'].some(isStateColumn)).toBe(false);
  expect(['doneAt', 'claimed_until', 'processing'].every(isLifecycleColumn)).toBe(true);
  expect(['updatedAt', 'last_login_at', 'heartbeatAt', 'readAt'].some(isLifecycleColumn)).toBe(false);
  expect(['locked', 'lockedAt', 'leaseExpiresAt', 'holder'].every(isLockColumn)).toBe(true);
  expect(['version', 'lockedBy', 'workerId', 'lockToken'].every(isTokenColumn)).toBe(true);
});

test('targets by their nouns', () => {
  expect([nounOf('step_runs'), nounOf('FlowExecution'), nounOf('syncs'), nounOf('users'), nounOf('chits')]).toEqual(['core', 'core', 'secondary', 'veto', undefined]);
  expect(['StepRunModel', 'step_runs', 'stepRun'].map(targetKey)).toEqual(['step_run', 'step_run', 'step_run']);
  expect(['batches', 'activities', 'process'].map(targetKey)).toEqual(['batch', 'activity', 'process']);
});
