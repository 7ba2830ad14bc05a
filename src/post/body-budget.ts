/** UTF-8 bytes of a comment. GitHub takes 65,536 characters; below it in bytes is below it in any count. */
export const COMMENT_BYTES = 60_000;

/** A part of a body: its lines appear together or not at all. */
export type Block = readonly string[];

export interface Section {
  readonly head: Block;
  readonly count: number;
  /** The item at a place from 0; asked only while there is room. */
  item(at: number): Block;
  /** What says how many items did not fit. */
  more(left: number): string;
}

/** A section that is there whole or not at all. */
export function fixedSection(head: Block): Section {
  return { head, count: 0, item: () => [], more: () => '' };
}

/** A section of an item for each entry. */
export function listSection<T>(head: Block, entries: readonly T[], item: (entry: T, at: number) => Block, more: (left: number) => string): Section {
  return {
    head,
    count: entries.length,
    item: (at) => {
      const entry = entries[at];
      return entry === undefined ? [] : item(entry, at);
    },
    more,
  };
}

/**
 * Sections written until the bytes are spent. Whole items are left out, never halves: a cut block would leave a fence or a tag open.
 * @param foot Always there.
 */
export function withinBudget(sections: readonly Section[], foot: Block, bytes: number): string {
  const lines: string[] = [];
  let left = bytes - size(foot);
  for (const { head, count, item, more } of sections) {
    // Room for the sentence that says what is missing is kept from the beginning.
    const reserve = size([more(count)]);
    if (left < size(head) + reserve) continue;
    lines.push(...head);
    left -= size(head);
    let shown = 0;
    for (; shown < count; shown++) {
      const block = item(shown);
      if (left < size(block) + reserve) break;
      lines.push(...block);
      left -= size(block);
    }
    if (shown < count) {
      const sentence = [more(count - shown)];
      lines.push(...sentence);
      left -= size(sentence);
    }
  }
  return [...lines, ...foot].join('\n');
}

function size(block: Block): number {
  return block.reduce((sum, line) => sum + new TextEncoder().encode(line).length + 1, 0);
}
