import type { ReviewChange } from '../review/types.js';
import { count } from './review-words.js';

/** `Against \`main\` (merge base \`abc\`): 3 files changed; 1 finding is new, 2 were there before, 1 is mended.` */
export function changeSentence({ base, mergeBase, filesChanged, new: added, old, fixed, protocol }: ReviewChange): string {
  const weaker = protocol.filter(({ effect }) => effect === 'weaker').length;
  return `Against \`${base}\` (merge base \`${mergeBase.slice(0, 12)}\`): ${count(filesChanged, 'file')} changed; ${count(added, 'finding is', 'findings are')} new, `
    + `${count(old, 'was', 'were')} there before, ${count(fixed.length, 'is', 'are')} mended. The protocol moved in ${count(protocol.length, 'point')}`
    + `${protocol.length === 0 ? '' : `, ${weaker} of them weaker`}.`;
}
