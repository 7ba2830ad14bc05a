import type { Place, WitnessStep } from '../place.js';

/** How sure a violation is. `possible` is a habit worth a look and never in the recommended profile. */
export type Certainty = 'certain' | 'likely' | 'possible';

/** A line that proves what an outcome claims. */
export interface Evidence {
  readonly place: Place;
  readonly note: string;
}

/** The fact that keeps a subject from being judged, and the question that would settle it. */
export interface MissingFact {
  readonly fact: string;
  readonly question: string;
  /** The configuration key that answers the question; absent when only other code can. */
  readonly configKey?: string;
}

/** An edit that is surely right: replace `[start, end)` (offsets in the file) by `text`. */
export interface Suggestion {
  readonly title: string;
  readonly edits: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface Verified {
  readonly status: 'verified';
  readonly evidence: readonly Evidence[];
}

export interface Violated {
  readonly status: 'violated';
  readonly certainty: Certainty;
  /** Where the finding is reported. */
  readonly at: Place;
  /** Which of the rule's messages tells it, and the values of its placeholders. */
  readonly messageId: string;
  readonly data: Readonly<Record<string, string>>;
  /** The steps to the fault, in order. */
  readonly witness: readonly WitnessStep[];
  /** What to do, one sentence. */
  readonly action: string;
  readonly suggestions?: readonly Suggestion[];
  /** What is at fault where several sites share it, in words that survive moved code: the fingerprint is made of it then, and not of the site that stands first. */
  readonly root?: string;
  /** The site id of the second writer, where one is known. */
  readonly conflictsWith?: string;
  /** True where only the strict profile reports it even though the rule itself is recommended. */
  readonly strictOnly?: boolean;
  /** True where a proven lock holds and only the second line is missing: a warning, whatever the certainty. */
  readonly secondLine?: boolean;
  /** The rule whose finding on the same root cause speaks instead of this one. */
  readonly supersededBy?: string;
}

export interface Unknown {
  readonly status: 'unknown';
  readonly missing: MissingFact;
}

export interface NotApplicable {
  readonly status: 'not-applicable';
}

/** What a rule says about one subject. */
export type Outcome = Verified | Violated | Unknown | NotApplicable;

/** `A` acquisition, `L` release, `E` extension, `T` transition, `I` lock implementation. */
export type SubjectKind = 'A' | 'L' | 'E' | 'T' | 'I';
