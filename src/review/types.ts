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
  /** Who answers for the file, from CODEOWNERS: `@team @person`; missing where nobody is named. */
  readonly owner?: string;
  /** The id of the exception that accepts it, `x1`; an accepted finding does not count towards the exit code. */
  readonly exception?: string;
  /** Accepted once by the baseline of an adoption: listed, and not counted towards the exit code. */
  readonly baseline?: true;
  /** Against the base of a change; missing in an audit. */
  readonly change?: 'new' | 'old';
  /** The changed line that brought a new finding, where the finding itself stands on an untouched line. */
  readonly causedBy?: { readonly file: string; readonly line: number; readonly note: string };
}

/** A finding of the base that the change mended or took away; places are those of the base. */
export type FixedFinding = Pick<Finding, 'rule' | 'skill' | 'severity' | 'certainty' | 'file' | 'line' | 'message' | 'fingerprint'>;

/** How a change moved the protocol of a lock or of a target: `TTL 30 s to 5 s`. */
export interface ProtocolChange {
  /** What moved: a lock's key template, a target's name, or the code at large. */
  readonly subject: string;
  readonly kind: 'lock' | 'target' | 'coverage';
  /** One sentence part, without a full stop. */
  readonly what: string;
  /** Whether it takes protection away, adds some, or only differs. */
  readonly effect: 'weaker' | 'stronger' | 'different';
  /** The place in head, or in base where the thing is gone. */
  readonly file: string;
  readonly line: number;
}

/** What a change did, against its merge base. */
export interface ReviewChange {
  /** The ref as it was given. */
  readonly base: string;
  /** The commit of the merge base. */
  readonly mergeBase: string;
  readonly filesChanged: number;
  readonly new: number;
  readonly old: number;
  readonly fixed: readonly FixedFinding[];
  readonly protocol: readonly ProtocolChange[];
}

/** An accepted finding: who answers for it, why, and until when. */
export interface ReviewException {
  /** `x1`, `x2` ... in the order of their places. */
  readonly id: string;
  readonly rule: string;
  /** Where it is written down: a comment in the code, or an entry of the exceptions file. */
  readonly file: string;
  readonly line: number;
  readonly source: 'comment' | 'file';
  readonly owner?: string;
  readonly reason?: string;
  /** ISO date; it holds through that day. */
  readonly expires?: string;
  /** `expiring`: within 30 days of `asOf`. `expired`, `unused` and `incomplete` (no owner, reason or date) accept nothing. */
  readonly status: 'active' | 'expiring' | 'expired' | 'unused' | 'incomplete';
  /** What needs attention, one sentence without a full stop; missing where it is in order. */
  readonly problem?: string;
  /** The findings it accepts. */
  readonly findings: readonly string[];
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
  readonly exceptions: readonly ReviewException[];
  /** Missing in an audit. */
  readonly change?: ReviewChange;
  readonly errors: readonly ReviewError[];
}
