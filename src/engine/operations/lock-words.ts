/** What a method or function of a lock API does, by its name. */
export type LockRole = 'acquire' | 'release' | 'extend';
/** What a parameter of a lock API is for, by its name. */
export type SlotRole = 'key' | 'owner' | 'ttl' | 'other';

const VERBS: Readonly<Record<LockRole, readonly string[]>> = {
  acquire: ['acquire', 'lock', 'claim', 'take', 'obtain', 'lease', 'grab', 'reserve'],
  release: ['release', 'unlock', 'free', 'drop', 'relinquish', 'giveBack', 'unclaim'],
  extend: ['extend', 'renew', 'refresh', 'prolong', 'keepAlive', 'heartbeat', 'touch', 'keep', 'reacquire'],
};
const NOUN = '(?:Lock|Lease|Mutex|Claim|Next|Exclusive|Grant|Hold|Step|Job|Run|Task|Row|Record|Entity|Key|Resource|Ttl|Or(?:Throw|Null|Fail))';
const PATTERNS: readonly (readonly [LockRole, RegExp])[] = (['acquire', 'release', 'extend'] as const).map((role) => {
  const verbs = VERBS[role].flatMap((v) => [v, `try${v.charAt(0).toUpperCase()}${v.slice(1)}`]).join('|');
  return [role, new RegExp(`^(?:${verbs})(${NOUN}*)$`)] as const;
});

/** The role that a method name suggests; undefined for all other names. A name alone proves nothing. */
export function lockRole(name: string): LockRole | undefined {
  const held = roles.get(name);
  if (held !== undefined) return held === 'none' ? undefined : held;
  const plain = withoutMarks(name);
  const role = PATTERNS.find(([, pattern]) => pattern.test(plain))?.[0];
  roles.set(name, role ?? 'none');
  return role;
}

/** Each method of a program is called many times. */
const roles = new Map<string, LockRole | 'none'>();

/** `_acquire`, `#release` and `lock_` are inner spellings of the plain name. */
function withoutMarks(name: string): string {
  return name.replace(/^[_#$]+|[_$]+$/g, '');
}

/** Names that speak of locks by themselves: `tryLock`, `releaseLease`, not `take` or `free`. */
export function speaksOfLocks(name: string): boolean {
  return /lock|(?<!re)lease|mutex|claim/i.test(name) || /^(?:try)?acquire$/i.test(withoutMarks(name));
}

/** `withLock`, `runExclusive`, `executeWithLock`: functions that run another one under a lock. */
export function runsUnderLock(name: string): boolean {
  return /^(?:locked|exclusive(?:ly)?)$|^(?:with|using|under|run|execute|do|perform|in)\w*(?:Lock|Locked|Lease|Mutex|Exclusive|Exclusively)$/.test(name);
}

/** Names of types whose values stand for a held lock. */
export function namesHeldLock(name: string): boolean {
  return /(?:Lock|Lease|Mutex|Held)(?:Handle|Grant|Ref)?$/.test(name);
}

/** Names that give back what an acquire of the name took: `lockRow` has `unlockRow`, `acquireLease` has `releaseLease`. */
export function counterparts(name: string, role: LockRole): string[] {
  const own = new RegExp(`^(?:try)?(?:${VERBS[role].join('|')})`, 'i').exec(name)?.[0] ?? '';
  const rest = name.slice(own.length);
  const verbs = role === 'acquire' ? VERBS.release : VERBS.acquire.flatMap((v) => [v, `try${v.charAt(0).toUpperCase()}${v.slice(1)}`]);
  return verbs.flatMap((v) => [...new Set([`${v}${rest}`, v, `${v}Lock`, `${v}Lease`])]);
}

/** What a parameter is for. */
export function slotRole(name: string): SlotRole {
  const held = slots.get(name);
  if (held !== undefined) return held;
  const role = roleOfSlot(name);
  slots.set(name, role);
  return role;
}

const slots = new Map<string, SlotRole>();

function roleOfSlot(name: string): SlotRole {
  if (/^(?:owner\w*|\w+Owner(?:Id)?|token\w*|\w+Token|holder\w*|clientId|workerId|worker|grantId|lockId|leaseId|value|nonce|fence|\w+Fence)$/.test(name)) return 'owner';
  if (/^(?:ttl\w*|\w+T(?:tl|TL)(?:Ms|Sec\w*)?|lease(?:Ms|Time\w*|Duration\w*|Seconds|For)?|duration\w*|expir\w*|ms|millis\w*|sec(?:ond)?s?|timeout\w*|lockFor\w*|\w+(?:Ms|Seconds|Millis))$/.test(name)) return 'ttl';
  if (/^(?:keys?|ids?|resources?|names?|lock(?:Key|Name)?|path|\w+(?:Keys?|Ids?|Names?|Resources?|Path))$/.test(name)) return 'key';
  return 'other';
}

/** The unit of a TTL parameter by its name. Lock APIs of this language count in milliseconds unless they say otherwise. */
export function slotUnit(name: string): 's' | 'ms' {
  return /(?:sec|secs|seconds)$/i.test(name) ? 's' : 'ms';
}
