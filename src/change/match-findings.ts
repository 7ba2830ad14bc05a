import { identityOf } from '../review/fingerprint.js';
import type { Finding } from '../review/types.js';
import type { BaseLines } from './base-lines.js';

/** Which findings of head were there before, and which of base are no more. */
export interface MatchedFindings {
  /** Ids of head's findings that base has too. */
  readonly old: ReadonlySet<string>;
  /** Findings of base that head lacks, in their order. */
  readonly fixed: readonly Finding[];
}

/**
 * Pairs the findings of head and base that are alike: first those on the very line that the diff leads to, then those of one file in their order,
 * then the rest in the order of their places. So of several equal findings the one on the changed line is the new one.
 */
export function matchFindings(head: readonly Finding[], base: readonly Finding[], lines: BaseLines): MatchedFindings {
  const old = new Set<string>();
  const left = new Map<string, Finding[]>();
  for (const finding of base) left.set(identityOf(finding.fingerprint), [...(left.get(identityOf(finding.fingerprint)) ?? []), finding]);

  pair((now, then) => lines.path(then.file) === now.file && lines.line(then.file, then.line) === now.line);
  pair((now, then) => lines.path(then.file) === now.file);
  pair(() => true);
  const unpaired = new Set([...left.values()].flat());
  return { old, fixed: base.filter((finding) => unpaired.has(finding)) };

  function pair(fits: (now: Finding, then: Finding) => boolean): void {
    for (const now of head) {
      if (old.has(now.id)) continue;
      const alike = left.get(identityOf(now.fingerprint));
      const at = alike?.findIndex((then) => fits(now, then)) ?? -1;
      if (alike === undefined || at === -1) continue;
      alike.splice(at, 1);
      old.add(now.id);
    }
  }
}
