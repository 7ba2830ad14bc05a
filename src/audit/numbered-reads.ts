import { keyOfQuestion } from '../engine/syntax/questions.js';
import type { AuditState } from './audit-state.js';

/** A part of what is known, and what it looked at. */
interface Reading {
  readonly reads: readonly string[];
}

/** What the numbers of kept reads stand for: the questions about files first, in the order of the answers to them, then all else. */
export interface ReadNames {
  readonly count: number;
  nameAt(at: number): string;
  /** The file that a question is about; undefined for a read that is no question. */
  pathAt(at: number): string | undefined;
}

/** Names are put together when they are asked for: a tree has tens of thousands, of which a change concerns a few. */
export function readNames(answers: AuditState['answers'], others: readonly string[]): ReadNames {
  const paths = Object.keys(answers);
  const questions = Object.values(answers).map((asked) => Object.keys(asked));
  const starts = new Int32Array(paths.length);
  const asked = questions.reduce((count, own, at) => {
    starts[at] = count;
    return count + own.length;
  }, 0);
  const fileOf = new Int32Array(asked);
  questions.forEach((own, at) => fileOf.fill(at, starts[at], (starts[at] ?? 0) + own.length));
  return {
    count: asked + others.length,
    nameAt(at) {
      const file = fileOf[at];
      return file === undefined ? others[at - asked] ?? '' : keyOfQuestion(paths[file] ?? '', questions[file]?.[at - (starts[file] ?? 0)] ?? '');
    },
    pathAt: (at) => (at < asked ? paths[fileOf[at] ?? 0] : undefined),
  };
}

interface Numbered {
  readonly reads: readonly number[];
  /** One object for all parts that were kept together. */
  readonly names: ReadNames;
}

/** The reads of a kept part are spelled out when they are asked for: most runs ask of a few parts, and of the others only whether one of their reads counts. */
const numbered = new WeakMap<Reading, Numbered>();

/** A part whose reads are kept as numbers. */
export function numberedPart<T extends object>(part: T, reads: readonly number[], names: ReadNames): T & Reading {
  let spelled: readonly string[] | undefined;
  const made = {
    ...part,
    get reads() {
      return (spelled ??= reads.map((at) => names.nameAt(at)));
    },
  };
  numbered.set(made, { reads, names });
  return made;
}

/**
 * Tells whether some read of a part passes a test, which is asked once of each read of parts that were kept together, and not once of each part that has it.
 * @param isOf False: no question about this file passes.
 */
export function someRead(isMeant: (read: string) => boolean, isOf: (path: string) => boolean): (part: Reading) => boolean {
  const told = new Map<ReadNames, Int8Array>();
  return (part) => {
    const known = numbered.get(part);
    if (known === undefined) return part.reads.some(isMeant);
    const { reads, names } = known;
    let answers = told.get(names);
    if (answers === undefined) told.set(names, (answers = new Int8Array(names.count)));
    for (const at of reads) {
      const answer = answers[at] || (answers[at] = passes(names, at) ? YES : NO);
      if (answer === YES) return true;
    }
    return false;
  };

  function passes(names: ReadNames, at: number): boolean {
    const path = names.pathAt(at);
    return (path === undefined || isOf(path)) && isMeant(names.nameAt(at));
  }
}

const YES = 1;
const NO = 2;
