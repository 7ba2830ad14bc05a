/** A part of what is known, and what it looked at. */
interface Reading {
  readonly reads: readonly string[];
}

interface Numbered {
  readonly reads: readonly number[];
  /** What the numbers stand for, one list for all parts that were kept together. */
  readonly names: readonly string[];
}

/** The reads of a kept part are spelled out when they are asked for: most runs ask of a few parts, and of the others only whether one of their reads counts. */
const numbered = new WeakMap<Reading, Numbered>();

/** A part whose reads are kept as numbers of a list of names. */
export function numberedPart<T extends object>(part: T, reads: readonly number[], names: readonly string[]): T & Reading {
  let spelled: readonly string[] | undefined;
  const made = {
    ...part,
    get reads() {
      return (spelled ??= reads.map((at) => names[at] ?? ''));
    },
  };
  numbered.set(made, { reads, names });
  return made;
}

/** Tells whether some read of a part passes a test, which is asked once of each read of parts that were kept together, and not once of each part that has it. */
export function someRead(isMeant: (read: string) => boolean): (part: Reading) => boolean {
  const told = new Map<readonly string[], Int8Array>();
  return (part) => {
    const known = numbered.get(part);
    if (known === undefined) return part.reads.some(isMeant);
    const { reads, names } = known;
    let answers = told.get(names);
    if (answers === undefined) told.set(names, (answers = new Int8Array(names.length)));
    for (const at of reads) {
      const answer = answers[at] || (answers[at] = isMeant(names[at] ?? '') ? YES : NO);
      if (answer === YES) return true;
    }
    return false;
  };
}

const YES = 1;
const NO = 2;
