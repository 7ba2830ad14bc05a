/** UTF-8 bytes of a comment. GitHub takes 65,536 characters; below it in bytes is below it in any count. */
export const COMMENT_BYTES = 60_000;

/** A part of a body: its lines appear together or not at all. */
export type Block = readonly string[];

export interface Section {
  readonly head: Block;
  readonly items: readonly Block[];
  /** What says how many items did not fit. */
  readonly more: (left: number) => string;
}

/**
 * Sections written until the bytes are spent. Whole items are left out, never halves: a cut block would leave a fence or a tag open.
 * @param foot Always there.
 */
export function withinBudget(sections: readonly Section[], foot: Block, bytes: number): string {
  const lines: string[] = [];
  let left = bytes - size(foot);
  for (const { head, items, more } of sections) {
    // Room for the sentence that says what is missing is kept from the beginning.
    const reserve = size([more(items.length)]);
    if (left < size(head) + reserve) continue;
    lines.push(...head);
    left -= size(head);
    let shown = 0;
    for (const item of items) {
      if (left < size(item) + reserve) break;
      lines.push(...item);
      left -= size(item);
      shown++;
    }
    if (shown < items.length) {
      const sentence = [more(items.length - shown)];
      lines.push(...sentence);
      left -= size(sentence);
    }
  }
  return [...lines, ...foot].join('\n');
}

function size(block: Block): number {
  return block.reduce((sum, line) => sum + new TextEncoder().encode(line).length + 1, 0);
}
