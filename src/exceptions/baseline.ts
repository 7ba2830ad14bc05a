import { z } from 'zod';
import { ConfigMistake } from '../config/config-mistake.js';
import { schemaMistake } from '../config/schema-mistake.js';
import { FINGERPRINT, FINGERPRINT_WANTED } from './fingerprint-text.js';

const entry = z.strictObject({
  fingerprint: z.string().regex(FINGERPRINT, { error: FINGERPRINT_WANTED }),
  rule: z.string(),
  file: z.string(),
});

const schema = z.strictObject({ schemaVersion: z.literal(1), findings: z.array(entry) });

/** A finding that was there when step-lock was adopted. Fingerprint and rule tell it; the file is for people. */
export type BaselineEntry = Readonly<z.infer<typeof entry>>;

/**
 * Reads the text of a baseline.
 * @param name What the file is called in a sentence.
 * @throws {ConfigMistake} for the first mistake in it.
 */
export function readBaseline(text: string, name: string): BaselineEntry[] {
  const value = parsed(text, name);
  const read = schema.safeParse(value);
  if (read.success) return read.data.findings;
  throw new ConfigMistake(schemaMistake(read.error.issues, { value, from: name, schema }), 'Take it away and write it anew with --update-baseline.');
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A merge leaves its marks in such files more often than anything else breaks them.
    const conflict = /^(?:<{7}|>{7})/m.test(text) ? ' It holds the marks of a merge that was not finished.' : '';
    throw new ConfigMistake(`${name} cannot be read: ${error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/\.$/, '') : String(error)}.${conflict}`, 'Take it away and write it anew with --update-baseline.');
  }
}

/** The text of a baseline: sorted, one line an entry, so that two branches seldom meet in it. */
export function writeBaseline(entries: readonly BaselineEntry[]): string {
  const lines = entries.toSorted(compare).map(({ fingerprint, rule, file }) => `    ${JSON.stringify({ file, rule, fingerprint })}`);
  return `{\n  "schemaVersion": 1,\n  "findings": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

function compare(a: BaselineEntry, b: BaselineEntry): number {
  const [p, q] = [a, b].map(({ file, rule, fingerprint }) => [file, rule, fingerprint].join('\0'));
  return (p ?? '') < (q ?? '') ? -1 : 1;
}

/** One entry and the finding that it names. The rule is part of it, so that an entry that was edited by hand accepts nothing by chance. */
export function baselineKey({ fingerprint, rule }: Pick<BaselineEntry, 'fingerprint' | 'rule'>): string {
  return `${rule} ${fingerprint}`;
}

/** What a run makes of a baseline. */
export interface BaselineUpdate {
  readonly entries: readonly BaselineEntry[];
  readonly added: number;
  readonly dropped: number;
}

export interface BaselineChoice {
  /** Take up the findings of this run. */
  readonly update: boolean;
  /** Drop entries whose finding was looked for and is gone. */
  readonly prune: boolean;
  /** Whether the run would have seen the finding of an entry. */
  wasLookedFor(entry: BaselineEntry): boolean;
}

/** Entries whose finding was looked for and is gone. */
export function staleEntries(entries: readonly BaselineEntry[], found: readonly BaselineEntry[], wasLookedFor: BaselineChoice['wasLookedFor']): BaselineEntry[] {
  const keys = new Set(found.map(baselineKey));
  return entries.filter((e) => !keys.has(baselineKey(e)) && wasLookedFor(e));
}

/**
 * The baseline after a run. Entries that are still found are told with the file they are in now.
 * @param found The findings of the run that no exception accepts.
 */
export function updatedBaseline(entries: readonly BaselineEntry[], found: readonly BaselineEntry[], { update, prune, wasLookedFor }: BaselineChoice): BaselineUpdate {
  const now = new Map(found.map(({ fingerprint, rule, file }) => [baselineKey({ fingerprint, rule }), { fingerprint, rule, file }]));
  const before = new Set(entries.map(baselineKey));
  const stale = new Set(prune ? staleEntries(entries, found, wasLookedFor).map(baselineKey) : []);
  const kept = entries.filter((e) => !stale.has(baselineKey(e))).map((e) => now.get(baselineKey(e)) ?? e);
  const added = update ? [...now].flatMap(([key, e]) => (before.has(key) ? [] : [e])) : [];
  return { entries: [...kept, ...added], added: added.length, dropped: stale.size };
}
