/** Lock and store APIs, role words and no-throw names as data. Filled by `src/models`, extended by users. */
export interface Models {
  /** Words whose absence from a file's text proves that it holds no lock operation and no state write. */
  readonly words: readonly string[];
}
