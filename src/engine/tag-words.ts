import type { DocTagName } from './syntax/doc-tag-names.js';

/** Tags that make a subject of each call of the function, whatever words stand in the file of the call. */
export const TAGS_OF_CALLS: readonly DocTagName[] = ['acquiresLock', 'releasesLock', 'extendsLock', 'requiresLock', 'stepTransition'];

/** A quick test whether a text may hold one of those tags. */
export function mayTagCalls(text: string): boolean {
  return TAGS_OF_CALLS.some((tag) => text.includes(`@${tag}`));
}
