import type { LockRecord, Site } from './site.js';

/** The sheet of the lock an acquisition takes; none for markers of "done once" for locks of one process or host, and for the lease of a queue's job. What is not computed yet says `unknown`. */
export function lockRecord(site: Site): LockRecord[] {
  const { facts, id, place } = site;
  if (facts.subject !== 'A' || facts.claim || facts.scope === 'process' || facts.scope === 'host' || facts.scope === 'job') return [];
  const unknown = 'unknown';
  return [{
    id, place, keyTemplate: facts.key, owner: facts.owner, ttl: facts.ttl, scope: facts.scope, acquirers: [id], protects: [],
    renewal: unknown, release: unknown, onContention: unknown, onOutage: unknown, events: unknown,
  }];
}
