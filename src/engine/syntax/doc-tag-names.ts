/** The tags that tell step-lock what the code does not show. */
export const DOC_TAGS = ['acquiresLock', 'releasesLock', 'extendsLock', 'requiresLock', 'stepTransition', 'singleWriter', 'failsOpen', 'maxDuration'] as const;
export type DocTagName = (typeof DOC_TAGS)[number];

/** Whether a word is the name of such a tag. */
export function isDocTag(word: string): word is DocTagName {
  return DOC_TAGS.some((tag) => tag === word);
}
