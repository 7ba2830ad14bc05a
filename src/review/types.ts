import type { DimensionId, SkillId, VerificationId } from '../skill/skill.js';
import type { Certainty, SubjectKind } from '../engine/judge/outcome.js';
import type { SiteFacts } from '../engine/judge/site.js';
import type { WitnessRole } from '../engine/place.js';

/** `ready`: nothing violated, nothing unknown. `nothing-seen` is no pass: it says what was searched. */
export type Verdict = 'ready' | 'not-ready' | 'undecided' | 'nothing-seen';
export type Severity = 'error' | 'warning';
export type RowStatus = 'verified' | 'violated' | 'unknown' | 'not-applicable';
export type Profile = 'recommended' | 'strict';

export interface SkippedFile { readonly file: string; readonly reason: string }

export interface ReviewScope {
  /** The working directory as a relative path: always `.`; kept so that the contract can carry a sub-root. */
  readonly root: string;
  readonly commit?: string;
  readonly base?: string;
  /** sha256 of profile, models and configuration. */
  readonly configDigest: string;
  /** The date exceptions are judged at; an input, never the clock. */
  readonly asOf?: string;
  readonly profile: Profile;
  readonly filesJudged: number;
  /** Files whose text holds no lock or state word: read, and nothing to judge. */
  readonly filesWithoutSubjects: number;
  readonly filesSkipped: readonly SkippedFile[];
}

export interface ReviewLookAlike { readonly file: string; readonly line: number; readonly name: string; readonly why: string; readonly configLine: string }

export interface Inventory {
  readonly locks: number;
  readonly wrappers: number;
  readonly transitions: number;
  readonly lookAlikes: readonly ReviewLookAlike[];
}

export interface ReviewLock {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly keyTemplate: string;
  readonly owner: string;
  readonly ttl: string;
  readonly renewal: string;
  readonly release: string;
  readonly onContention: string;
  readonly onOutage: string;
  readonly events: string;
  readonly scope: string;
  readonly acquirers: readonly string[];
  readonly protects: readonly string[];
}

export interface ReviewWriter { readonly site: string; readonly actor: string; readonly from: string; readonly to: string; readonly guard: string; readonly lock: string }

export interface ReviewTarget {
  readonly id: string;
  readonly name: string;
  readonly states: readonly string[];
  readonly transitions: readonly string[];
  readonly writers: readonly ReviewWriter[];
  readonly conflicts: readonly (readonly [string, string])[];
}

export interface ReviewEvidence { readonly file: string; readonly line: number; readonly note: string }

export interface ReviewOutcome {
  readonly status: RowStatus;
  readonly evidence: readonly ReviewEvidence[];
  readonly missing?: { readonly fact: string; readonly question: string; readonly configKey?: string };
  readonly supersededBy?: string;
}

export interface ReviewSite {
  readonly id: string;
  readonly subject: SubjectKind;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly facts: SiteFacts;
  readonly outcomes: Readonly<Record<string, ReviewOutcome>>;
}

export interface ReviewStep { readonly file: string; readonly line: number; readonly column: number; readonly role: WitnessRole; readonly note: string }

export interface Finding {
  readonly id: string;
  readonly rule: string;
  readonly skill: SkillId;
  readonly dimension: DimensionId;
  readonly certainty: Certainty;
  readonly severity: Severity;
  readonly site: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly message: string;
  readonly witness: readonly ReviewStep[];
  readonly conflictsWith?: string;
  readonly related?: readonly string[];
  readonly action: string;
  readonly validation: readonly VerificationId[];
  readonly fix?: { readonly title: string; readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[] };
  readonly fingerprint: string;
  readonly owner?: string;
  readonly exception?: string;
  readonly change?: 'new' | 'fixed' | 'old';
}

export interface SkillRow { readonly id: SkillId; readonly status: RowStatus; readonly verified: number; readonly violated: number; readonly unknown: number }

export interface DimensionRow {
  readonly id: DimensionId;
  readonly evidence: string;
  readonly current: string;
  readonly expected: string;
  readonly difference: string;
  readonly owner?: string;
  readonly validation: readonly VerificationId[];
  readonly status: RowStatus;
}

export interface VerificationRow { readonly id: VerificationId; readonly status: RowStatus; readonly evidence: string }

export interface Question {
  readonly question: string;
  /** The sites whose unknown outcomes it settles. */
  readonly settles: readonly string[];
  /** How many unknown outcomes those are. */
  readonly unknowns: number;
  readonly configKey: string;
  /** The line of configuration or the tag that answers it, to be filled in; empty where only other code can. */
  readonly answer: string;
}

export interface ReviewError { readonly file: string; readonly line: number; readonly message: string }

/**
 * The review as plain data: the contract every report is drawn from. `file` is relative to the working directory, with `/`; lines and
 * columns start at 1; the order is stable; same input, same bytes.
 */
export interface Review {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'step-lock'; readonly version: string };
  readonly scope: ReviewScope;
  readonly verdict: Verdict;
  readonly inventory: Inventory;
  readonly locks: readonly ReviewLock[];
  readonly targets: readonly ReviewTarget[];
  readonly sites: readonly ReviewSite[];
  readonly findings: readonly Finding[];
  readonly skill: readonly SkillRow[];
  readonly dimensions: readonly DimensionRow[];
  readonly verification: readonly VerificationRow[];
  readonly questions: readonly Question[];
  readonly exceptions: readonly [];
  readonly errors: readonly ReviewError[];
}
