/** How code is entered. */
export type ActorKind = 'http' | 'queue' | 'cron' | 'resume' | 'retry' | 'cancel' | 'compensation' | 'webhook' | 'unknown';

/** What somebody wants who calls a function of the name, the name cut into words. First match wins. */
const PURPOSES: readonly (readonly [ActorKind, RegExp])[] = [
  ['webhook', /\bweb ?hooks?\b/],
  ['compensation', /\b(?:compensat\w*|undo|undoes|roll ?back|revert\w*|refund\w*)\b/],
  ['cancel', /\b(?:cancel\w*|abort\w*|terminate\w*|kill\w*|revoke\w*|stop)\b/],
  ['resume', /\b(?:resum\w*|unpause\w*|wake|continue)\b/],
  ['retry', /\b(?:retry|retries|rerun\w*|requeue\w*|redrive\w*|replay\w*|restart\w*)\b/],
];

/** Names of code that runs by the clock, or takes work off a queue. Said by a name alone, so asked last. */
const CLOCKS = /\b(?:cron\w*|scheduler?|reaper|reap|sweep\w*|tick|janitor|watchdog|poller|cleanup|clean up|expire\w*|timeouts?|time out|housekeep\w*|maintenance|reconcil\w*|purge|stale|overdue|interval)\b/;
const WORKERS = /\b(?:worker|processor|consumer|queue|dequeue|executor|runner|job handler|process job|run job|handle job|handle message|on message)\b/;

/** The purpose that a function's name tells; undefined for most. */
export function purposeOf(name: string): ActorKind | undefined {
  const words = wordsOf(name);
  return PURPOSES.find(([, pattern]) => pattern.test(words))?.[0];
}

/** The kind of entry that a function's name suggests. */
export function entryByName(name: string): 'cron' | 'queue' | undefined {
  const words = wordsOf(name);
  return CLOCKS.test(words) ? 'cron' : WORKERS.test(words) ? 'queue' : undefined;
}

/** `TimeoutJob.expireOverdue` gives `timeout job expire overdue`. */
function wordsOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[^A-Za-z0-9]+/g, ' ').toLowerCase();
}
