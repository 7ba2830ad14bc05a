import type { SiteFacts } from '../engine/judge/site.js';
import { layoutFree } from '../review/fingerprint.js';
import { lockBehaviour, type Behaviour, type LockBehaviour } from '../review/lock-behaviour.js';
import type { ProtocolChange, Review, ReviewLock, ReviewSite } from '../review/types.js';
import type { BaseLines } from './base-lines.js';
import { timeChange } from './lease-text.js';
import { pairUp } from './pair-up.js';

type Effect = ProtocolChange['effect'];

/** A lock with the function that takes it. */
interface Held { readonly lock: ReviewLock; readonly site: ReviewSite | undefined; readonly fn: string; readonly behaviour: LockBehaviour }

/** How the locks moved: each is known by its key and by the function that takes it, never by its line. */
export function lockChanges(head: Review, base: Review, lines: BaseLines): ProtocolChange[] {
  const { pairs, gained, lost } = pairUp(held(head), held(base), [
    ({ lock, fn }, side) => `${fileOf(lock, side, lines)} ${fn} ${layoutFree(lock.keyTemplate)}`,
    ({ lock, fn }) => `${fn} ${layoutFree(lock.keyTemplate)}`,
    ({ lock, fn }, side) => (fn === '<module>' ? undefined : `${fileOf(lock, side, lines)} ${fn}`),
    ({ lock, fn }, side) => (/^[\w$]+$/.test(lock.keyTemplate) ? undefined : `${fileOf(lock, side, lines)} ${layoutFree(lock.keyTemplate)} ${fn === '<module>' ? fn : ''}`),
  ]);
  return [
    ...pairs.flatMap(({ now, then }) => movedLock(now, then)),
    ...gained.map(({ lock, fn }): ProtocolChange => ({ subject: lock.keyTemplate, kind: 'lock', what: `is now taken in \`${fn}\``, effect: 'stronger', file: lock.file, line: lock.line })),
    ...lost.map(({ lock, fn }): ProtocolChange => ({ subject: lock.keyTemplate, kind: 'lock', what: `is no longer taken in \`${fn}\``, effect: 'weaker', file: lock.file, line: lock.line })),
  ];
}

function held({ locks, sites }: Review): Held[] {
  const byId = new Map(sites.map((site) => [site.id, site]));
  return locks.map((lock) => {
    const site = byId.get(lock.acquirers[0] ?? '');
    return { lock, site, fn: site?.name ?? '<module>', behaviour: lockBehaviour(lock, sites) };
  });
}

function fileOf({ file }: { readonly file: string }, side: 'head' | 'base', lines: BaseLines): string {
  return side === 'head' ? file : lines.path(file) ?? file;
}

function movedLock(now: Held, then: Held): ProtocolChange[] {
  const change = (what: string, effect: Effect): ProtocolChange => ({ subject: now.lock.keyTemplate, kind: 'lock', what: `${what} in \`${now.fn}\``, effect, file: now.lock.file, line: now.lock.line });
  const found: ProtocolChange[] = [];
  const differs = (a: string, b: string): boolean => layoutFree(a) !== layoutFree(b);
  if (differs(now.lock.keyTemplate, then.lock.keyTemplate)) found.push(change(`key \`${then.lock.keyTemplate}\` to \`${now.lock.keyTemplate}\``, 'different'));
  if (differs(now.lock.ttl, then.lock.ttl)) {
    const { what, effect } = timeChange(then.lock.ttl, now.lock.ttl);
    found.push(change(`TTL ${what}`, effect));
  }
  if (differs(now.lock.owner, then.lock.owner)) found.push(change(`owner \`${then.lock.owner}\` to \`${now.lock.owner}\``, now.lock.owner === 'none' ? 'weaker' : then.lock.owner === 'none' ? 'stronger' : 'different'));
  if (now.lock.scope !== then.lock.scope) found.push(change(`scope ${then.lock.scope} to ${now.lock.scope}`, 'different'));
  for (const [side, word] of SIDES) {
    const [before, after] = [then.behaviour[side], now.behaviour[side]];
    if (before.text !== after.text) found.push(change(`${word}: ${before.text} to ${after.text}`, effectOf(before, after)));
  }
  const moved = awaited(now) - awaited(then);
  if (moved > 0) found.push(change(`${moved === 1 ? 'one await' : `${numeral(moved)} awaits`} moved into the section`, 'different'));
  if (moved < 0) found.push(change(`${moved === -1 ? 'one await' : `${numeral(-moved)} awaits`} moved out of the section`, 'different'));
  return found;
}

const SIDES = [['renewal', 'renewal'], ['release', 'release'], ['onContention', 'when it is taken'], ['onOutage', 'when the store is away']] as const satisfies readonly (readonly [keyof LockBehaviour, string])[];

/** What is no longer proven is weaker; what is proven now, stronger. */
function effectOf(before: Behaviour, after: Behaviour): Effect {
  const rank = { broken: 0, unknown: 1, sound: 2 } as const;
  const moved = rank[after.standing] - rank[before.standing];
  return moved < 0 ? 'weaker' : moved > 0 ? 'stronger' : 'different';
}

function awaited({ site }: Held): number {
  return site?.facts.subject === 'A' ? site.facts.awaits ?? 0 : 0;
}

function numeral(n: number): string {
  return ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][n] ?? String(n);
}

type Release = ReviewSite & { readonly facts: Extract<SiteFacts, { subject: 'L' | 'E' }> };

/** Releases and renewals whose compare of the owner came or went: `owner compare removed in \`releaseStep\``. */
export function releaseChanges(head: Review, base: Review, lines: BaseLines): ProtocolChange[] {
  const { pairs } = pairUp(releases(head), releases(base), [
    (site, side) => `${site.subject} ${fileOf(site, side, lines)} ${site.name} ${layoutFree(site.facts.key)}`,
    (site, side) => `${site.subject} ${fileOf(site, side, lines)} ${site.name}`,
    (site) => `${site.subject} ${site.name} ${layoutFree(site.facts.key)}`,
  ]);
  return pairs.flatMap(({ now, then }): ProtocolChange[] => {
    const [before, after] = [STRENGTH[then.facts.ownerCheck], STRENGTH[now.facts.ownerCheck]];
    const place = { subject: now.facts.key, kind: 'lock', file: now.file, line: now.line } as const;
    if (before !== after) return [{ ...place, what: `owner compare ${ownerWords(before, after)} in \`${now.name}\``, effect: after < before ? 'weaker' : 'stronger' }];
    if (layoutFree(now.facts.owner) === layoutFree(then.facts.owner)) return [];
    return [{ ...place, what: `owner \`${then.facts.owner}\` to \`${now.facts.owner}\` in \`${now.name}\``, effect: 'different' }];
  });
}

/** How surely the owner is compared. */
const STRENGTH = { 'none': 0, 'unknown': 1, 'two-step': 2, 'by-connection': 3, 'contract': 3, 'atomic': 3 } as const satisfies Record<Release['facts']['ownerCheck'], number>;

function ownerWords(before: number, after: number): string {
  if (after === 0) return 'removed';
  if (before === 0) return 'added';
  return after < before ? (after === 2 ? 'no longer in the same step' : 'no longer in sight') : (before === 2 ? 'now in the same step' : 'now in sight');
}

function releases({ sites }: Review): Release[] {
  return sites.filter((site): site is Release => site.facts.subject === 'L' || site.facts.subject === 'E');
}
