/** Where a review can be posted. Formats that are files are formats. In a file of its own: the command line names them before anything is loaded. */
export const REPORTERS = ['github-pr-review', 'github-check', 'github-annotations'] as const;
export type Reporter = (typeof REPORTERS)[number];
