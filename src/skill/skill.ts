/**
 * The skill that step-lock enforces, as data: rules R1-R7, failure behaviours F1-F4, verification cases V1-V8 and
 * dimensions D1-D5. Source: DESIGN section 2.
 */
export const SKILL_ROWS = {
  R1: 'acquire the lock before changing step state',
  R2: 'name the owner on release and extend',
  R3: 'put a TTL on every lock',
  R4: 'renew the lease for long work',
  R5: 'reject a release by another owner',
  R6: 'keep a durable compare-and-swap as second line',
  R7: 'report acquired, contended, extended, released and expired',
  F1: 'lock unavailable: a retryable result, or wait by policy',
  F2: 'lock expired during work: stop, or revalidate before the commit',
  F3: 'compare-and-swap mismatch: do not overwrite; reload and decide',
  F4: 'lock store down: fail closed',
} as const;

export const VERIFICATION_CASES = {
  V1: 'two concurrent workers',
  V2: 'owner mismatch on release',
  V3: 'TTL expiry after a crash',
  V4: 'extension',
  V5: 'compare-and-swap failure',
  V6: 'store outage',
  V7: 'compensation racing the normal flow',
  V8: 'resume racing retry',
} as const;

export const DIMENSIONS = {
  D1: 'lock identity and ownership',
  D2: 'lease renewal and expiry',
  D3: 'stale-owner fencing',
  D4: 'release and retry',
  D5: 'recovery and validation',
} as const;

/** A row of the skill table. */
export type SkillId = keyof typeof SKILL_ROWS;
/** A verification case: a test the team should be able to show. */
export type VerificationId = keyof typeof VERIFICATION_CASES;
/** The dimension a finding belongs to. */
export type DimensionId = keyof typeof DIMENSIONS;
