/** How code is entered. */
export type ActorKind = 'http' | 'queue' | 'cron' | 'resume' | 'retry' | 'cancel' | 'compensation' | 'webhook' | 'unknown';

/** What somebody wants who calls a function of the name, the name cut into words. First match wins. */
const PURPOSES: readonly (readonly [ActorKind, RegExp])[] = [
  ['webhook', /\b(?:handle|on|receive|process|accept|incoming)\b.*\bweb ?hook\b|\bweb ?hook (?:handler|controller|receiver)\b/],
  ['compensation', /\b(?:compensat\w*|undo|undoes|roll ?back|revert\w*|refund\w*)\b/],
  ['cancel', /\b(?:cancel\w*|abort\w*|terminate\w*|kill\w*|revoke\w*|stop)\b/],
  ['resume', /\b(?:resum\w*|unpause\w*|wake|continue)\b/],
  ['retry', /\b(?:retry|retries|rerun\w*|requeue\w*|redrive\w*|replay\w*|restart\w*)\b/],
];

/** Names of code that runs by the clock, or takes work off a queue. Said by a name alone, so asked last. */
const CLOCKS = /\b(?:cron\w*|scheduler?|reaper|reap|sweep\w*|tick|janitor|watchdog|poller|cleanup|clean up|expire\w*|timeouts?|time out|housekeep\w*|maintenance|reconcil\w*|purge|stale|overdue|interval)\b/;
/** `StepWorker`, `JobProcessor`: what it is called last is what it is. `WorkerGroup` and `BackgroundWorkerService` are things of a domain. */
const WORKERS = /^[\w ]*\b(?:worker|processor|consumer|executor|runner)$/;
const WORK = /^(?:dequeue|(?:process|run|handle|work|execute|consume|perform)(?: next)? (?:jobs?|messages?|tasks?|items?|steps?|events?|batch|queue))\b/;

/** Said of code that runs when a process starts, before it takes up work: `initCancelDeployments()`. What is told a row, `setupSubscription(id)`, starts no process: its caller asks. */
export function namesStart(name: string): boolean {
  return /^(?:init|initiali[sz]e|bootstrap|boot|startup|setup)\b/.test(wordsOf(name.slice(name.lastIndexOf('.') + 1)));
}

/** The purpose that a function's name tells; undefined for most. */
export function purposeOf(name: string): ActorKind | undefined {
  const words = wordsOf(name);
  return PURPOSES.find(([, pattern]) => pattern.test(words))?.[0];
}

/** The kind of entry that a function's name suggests. */
export function entryByName(name: string): 'cron' | 'queue' | undefined {
  if (CLOCKS.test(wordsOf(name))) return 'cron';
  const dot = name.lastIndexOf('.');
  return WORKERS.test(wordsOf(name.slice(0, Math.max(0, dot)))) || WORK.test(wordsOf(name.slice(dot + 1))) ? 'queue' : undefined;
}

/** `TimeoutJob.expireOverdue` gives `timeout job expire overdue`. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^A-Za-z0-9]+/g, ' ').toLowerCase();
}
