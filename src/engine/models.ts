/** Lock and store APIs, role words and no-throw names as data. Filled by `src/models`, extended by users. */
export interface Models {
  /** Words whose absence from a file's text proves that it holds no lock operation and no state write. */
  readonly words: readonly string[];
  readonly policy?: Policy;
}

/** What is true of the code base as a whole and stands in no file. */
export interface Policy {
  /** `one`: a single process runs at a time, so that a lock within it is enough. */
  readonly instances?: 'one' | 'many';
}
