/** Lines counted from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The part of a change that posting looks at: the lines of head that the host shows in the diff. Paths as in the review. */
export interface DiffLines {
  readonly files: readonly { readonly path: string; readonly shown: readonly LineRange[] }[];
}

/** Whether the diff shows all the lines, as one hunk. Lines of two hunks cannot share a comment. */
export function shows(diff: DiffLines, file: string, { first, last }: LineRange): boolean {
  return diff.files.some(({ path, shown }) => path === file && shown.some((hunk) => hunk.first <= first && last <= hunk.last));
}
