import type { Finding } from './finding.js';

/** What is kept of a file. Plain data. */
export interface KeptEntry {
  /** The digest of its text. */
  readonly text: string;
  /** The digest of what it was judged with: settings, parser, TypeScript. */
  readonly under: string;
  /** Absent: there is nothing in it to judge. */
  readonly judged?: KeptVerdict;
  /** Absent: it was judged without a program. */
  readonly typed?: KeptAsked;
}

export interface KeptVerdict {
  readonly findings: readonly Finding[];
  /** Which exceptions file held, and what stood in it; absent where there is nothing that an exception could accept. */
  readonly exceptions?: string;
  /** The day for which exceptions were judged; absent where there are none. */
  readonly day?: string;
  /** The files whose platform was asked how long a run may take, and what the configurations above them said; absent where none was asked. */
  readonly limits?: { readonly of: readonly string[]; readonly said: string };
}

/** What the verdict rests on of the program; the answers are the program's. */
export interface KeptAsked {
  /** The path of its tsconfig. */
  readonly program: string;
  /** The files that were looked at, and those that were looked for in vain: what they hold, and where their imports lead. */
  readonly files: readonly string[];
  /** The names of which it was asked who mentions them. */
  readonly names: readonly string[];
}

/** A program as it was when what is kept of its files was found: all that those verdicts asked it, with the answers. */
export interface KeptProgram {
  /** The digest of its compiler options. */
  readonly options: string;
  /** The digests of its own files, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Its files that may tag the calls of a function: they make a file one to judge that holds no telling word. */
  readonly tagged: readonly string[];
  /** By name, the files that mention it. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** By file, then by specifier, where it leads; null: nowhere. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string | null>>;
}
