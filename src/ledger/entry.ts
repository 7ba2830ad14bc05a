import { z } from 'zod';

const place = z.object({ file: z.string(), line: z.number() });

const opened = z.object({
  fingerprint: z.string(),
  rule: z.string(),
  severity: z.enum(['error', 'warning']),
  certainty: z.enum(['certain', 'likely', 'possible']),
  ...place.shape,
  message: z.string(),
  /** The operation it was found at: what tells the place once the finding is gone. */
  site: z.object({ subject: z.string(), fn: z.string(), operation: z.string() }),
});

const closing = z.discriminatedUnion('by', [
  /** The rule proves the place right now, by these lines. */
  z.object({ by: z.literal('verified'), at: z.string(), evidence: z.array(place.extend({ note: z.string() })) }),
  /** Another finding at the place tells the root cause. */
  z.object({ by: z.literal('told-by'), at: z.string(), rule: z.string() }),
  /** No longer found, and not shown to be right either. */
  z.object({ by: z.literal('unknown'), at: z.string(), question: z.string() }),
  /** The operation is there, and the rule has nothing to ask of it any more. */
  z.object({ by: z.literal('not-applicable'), at: z.string() }),
  /** The operation is not there any more. */
  z.object({ by: z.literal('gone') }),
  z.object({ by: z.literal('exception'), owner: z.string(), reason: z.string(), expires: z.string(), ...place.shape }),
]);

const closed = z.object({ fingerprint: z.string(), rule: z.string(), closing });

const exception = z.object({
  rule: z.string(), ...place.shape, status: z.string(), owner: z.string().exactOptional(), reason: z.string().exactOptional(), expires: z.string().exactOptional(), accepts: z.array(z.string()),
});

export const entrySchema = z.object({
  schemaVersion: z.literal(1),
  /** Counted from 1. */
  run: z.int().min(1),
  /** The hash of the line before; empty in the first. */
  previous: z.string(),
  /** Undefined outside of git. */
  commit: z.string().exactOptional(),
  /** True where files differed from that commit. */
  uncommitted: z.literal(true).exactOptional(),
  asOf: z.string(),
  configDigest: z.string(),
  verdict: z.enum(['ready', 'not-ready', 'undecided', 'nothing-seen']),
  opened: z.array(opened),
  closed: z.array(closed),
  exceptions: z.array(exception),
});

/** One run, as a line of the ledger says it. */
export type LedgerEntry = Readonly<z.infer<typeof entrySchema>>;
export type OpenedFinding = Readonly<z.infer<typeof opened>>;
export type ClosedFinding = Readonly<z.infer<typeof closed>>;
export type Closing = Readonly<z.infer<typeof closing>>;
