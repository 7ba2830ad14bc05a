import type { Wrapper } from '../functions/wrappers.js';
import type { Place, Span } from '../place.js';
import type { Outcome, SubjectKind } from './outcome.js';

/** Plain facts of a site: enough for a review, a cache and a person. Text values are source text or words of the design. */
export interface AcquisitionFacts {
  readonly subject: 'A';
  readonly api: string;
  readonly key: string;
  readonly owner: string;
  readonly ttl: string;
  readonly result: string;
  readonly scope: string;
  readonly claim: boolean;
  /** How many calls are waited for while it is held, as far as its function shows; missing where that cannot be read. */
  readonly awaits?: number;
}
export interface ReleaseFacts {
  readonly subject: 'L';
  readonly api: string;
  readonly key: string;
  readonly owner: string;
  readonly ownerCheck: 'atomic' | 'contract' | 'two-step' | 'none' | 'by-connection' | 'unknown';
}
export interface ExtensionFacts {
  readonly subject: 'E';
  readonly api: string;
  readonly key: string;
  readonly owner: string;
  readonly ttl: string;
  readonly ownerCheck: 'atomic' | 'contract' | 'two-step' | 'none' | 'by-connection' | 'unknown';
}
export interface TransitionFacts {
  readonly subject: 'T';
  readonly layer: string;
  readonly target: string;
  readonly identity: string;
  /** States the guard accepts, or `any`. */
  readonly from: string;
  /** States written, or `unknown`. */
  readonly to: string;
  readonly kind: 'claim' | 'finish' | 'progress';
  readonly grade: 0 | 1 | 2 | 3 | 4 | 5 | 'unknown';
  readonly signal: string;
  readonly handling: 'used' | 'returned' | 'dropped' | 'misread' | 'throws' | 'unknown';
  readonly score: number;
  readonly signals: readonly string[];
  /** How the code is entered. */
  readonly actor: string;
  /** Locks held at the write, as key text. */
  readonly locks: readonly string[];
}
export interface ImplementationFacts {
  readonly subject: 'I';
  readonly name: string;
  readonly operations: readonly string[];
}
export type SiteFacts = AcquisitionFacts | ReleaseFacts | ExtensionFacts | TransitionFacts | ImplementationFacts;

/** One judged place: a lock operation, a state write, or a lock implementation. Plain data. */
export interface Site {
  /** `file:line:column` of the operation, stable within a run. */
  readonly id: string;
  readonly subject: SubjectKind;
  readonly place: Place;
  /** Whole statement of the operation; a report on any of its lines speaks of this site. */
  readonly statement: Span;
  /** Enclosing function, `Class.method` or `<module>`. */
  readonly name: string;
  readonly facts: SiteFacts;
  readonly outcomes: Readonly<Record<string, Outcome>>;
}

/** The id of the site at a place. */
export function siteIdAt({ file, line, column }: Place): string {
  return `${file}:${String(line)}:${String(column)}`;
}

/** Something that resembles a lock or a state write and is none: listed, judged by nothing. */
export interface LookAlike {
  readonly place: Place;
  readonly name: string;
  readonly why: string;
  /** The config line that would make it a subject. */
  readonly configLine: string;
}

/** A part of the code the engine gave up on, with the reason, or a tag that it cannot read. */
export interface EngineError {
  readonly file: string;
  readonly line: number;
  readonly message: string;
  /** A mistake in what the user told step-lock, which is the user's to mend. */
  readonly mistake?: true;
}

/** One who writes a target. Texts are for people. */
export interface TargetWriter {
  /** Id of the site of the write, or of the call that stands for it. */
  readonly site: string;
  /** How the code is entered: `http POST /cancel`, `cancel by queue steps`, `unknown`. */
  readonly actor: string;
  /** States it accepts, or `any`. */
  readonly from: string;
  /** States it writes, or `unknown`. */
  readonly to: string;
  /** Its grade and what its condition compares. */
  readonly guard: string;
  /** The lock that is held, or `none`. */
  readonly lock: string;
}

/** One kind of step state with all its writers, for the conflict table. */
export interface Target {
  readonly name: string;
  readonly states: readonly string[];
  /** `from -> to` of each writer, once. */
  readonly transitions: readonly string[];
  readonly writers: readonly TargetWriter[];
  /** Sites of writers that can overlap with nothing in sight to keep them apart; a site beside itself can do so when it is entered twice. */
  readonly conflicts: readonly (readonly [string, string])[];
}

/** A lock as a whole: its acquisitions and what they protect. */
export interface LockRecord {
  readonly id: string;
  readonly place: Place;
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

/** All the engine says of a set of files. */
export interface Analysis {
  readonly sites: readonly Site[];
  readonly lookAlikes: readonly LookAlike[];
  readonly targets: readonly Target[];
  readonly locks: readonly LockRecord[];
  /** The functions that lock for their callers, in the order of the files that call them. */
  readonly wrappers: readonly Wrapper[];
  readonly errors: readonly EngineError[];
}
