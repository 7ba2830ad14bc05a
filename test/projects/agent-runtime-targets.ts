/**
 * Who writes what in the sample, read by hand: place, how it is entered, states, guard, lock. A write of a store or of the guard stands at the calls that say from which
 * state to which. `retry.ts` has no lock: it drops the acquire's answer.
 */
export const WRITERS: Readonly<Record<string, readonly string[]>> = {
  runs: [
    'cancel.ts:31 | cancel by http runs/cancel | any -> cancelled | grade 0 | none',
    'timeouts.ts:31 | cron TimeoutJob.expireOverdue | running -> failed | grade 4 | none in sight',
    'worker.ts:77 | queue StepWorker.work | running -> completed | grade 4 | none',
    'worker.ts:77 | queue StepWorker.work | running -> failed | grade 4 | none',
  ],
  steps: [
    'cancel.ts:44 | cancel by http runs/cancel | step.status -> cancelled | grade 4 | acquire(stepId)',
    'compensation.ts:56 | compensation by http runs/compensate | succeeded -> compensating | grade 4 | acquire(step.id)',
    'compensation.ts:61 | compensation by http runs/compensate | compensating -> compensated | grade 4 | acquire(step.id)',
    'compensation.ts:66 | compensation by http runs/compensate | compensating -> failed | grade 4 | acquire(step.id)',
    'pause.ts:27 | http steps/pause | queued -> suspended | grade 4 | acquire(stepId)',
    'reaper.ts:42 | retry by cron Reaper.sweep | running -> queued | grade 4 | acquire(stepId)',
    'resume.ts:28 | resume by http steps/resume | suspended -> queued | grade 4 | acquire(stepId)',
    'retry.ts:25 | retry by http steps/retry | failed -> queued | grade 4 | none',
    'scheduler.ts:42 | cron Scheduler.tick | scheduled -> queued | grade 4 | acquire(stepId)',
    'signals.ts:27 | http steps/signal | suspended -> queued | grade 4 | acquire(stepId)',
    'timeouts.ts:26 | cron TimeoutJob.expireOverdue | any -> timed_out | grade 0 | none in sight',
    'worker.ts:55 | queue StepWorker.work | queued -> running | grade 4 | acquire(stepId)',
    'worker.ts:64 | queue StepWorker.work | running -> succeeded | grade 4 | acquire(stepId)',
    'worker.ts:68 | queue StepWorker.work | running -> failed | grade 4 | acquire(stepId)',
  ],
};

/** The two writers that name no expected state strike all others of their row; guarded writers keep each other out. */
export const CONFLICTS: Readonly<Record<string, readonly string[]>> = {
  runs: ['cancel.ts:31 against timeouts.ts:31', 'cancel.ts:31 against worker.ts:77', 'cancel.ts:31 against worker.ts:77'],
  steps: [
    'cancel.ts:44 against timeouts.ts:26', 'compensation.ts:56 against timeouts.ts:26', 'compensation.ts:61 against timeouts.ts:26', 'compensation.ts:66 against timeouts.ts:26',
    'pause.ts:27 against timeouts.ts:26', 'reaper.ts:42 against timeouts.ts:26', 'resume.ts:28 against timeouts.ts:26', 'retry.ts:25 against timeouts.ts:26',
    'scheduler.ts:42 against timeouts.ts:26', 'signals.ts:27 against timeouts.ts:26', 'timeouts.ts:26 against worker.ts:55', 'timeouts.ts:26 against worker.ts:64',
    'timeouts.ts:26 against worker.ts:68',
  ],
};
