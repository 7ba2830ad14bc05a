/** Random numbers in `[0, below)`, the same for the same seed (mulberry32). */
export type Choose = (below: number) => number;

export function seeded(seed: number): Choose {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

/** The text up to a random place, as an editor holds it while someone types. */
export function truncated(text: string, choose: Choose): string {
  return text.slice(0, choose(text.length + 1));
}

/** The lines in random order: nonsense that still holds all the words. */
export function shuffledLines(text: string, choose: Choose): string {
  const lines = text.split('\n');
  for (let index = lines.length - 1; index > 0; index--) {
    const other = choose(index + 1);
    [lines[index], lines[other]] = [lines[other] ?? '', lines[index] ?? ''];
  }
  return lines.join('\n');
}
