import { docComments, type DocTag, type TaggedFunction, type TagMistake } from '../syntax/doc-comments.js';
import { toldTime } from '../syntax/told-time.js';
import type { Unit } from '../syntax/unit.js';
import { parameterNames, tagSlots } from './tag-slots.js';

/** What is wrong with the tags of a file, in the order of the text. A tag that says nothing would look like one that was heeded. */
export function tagMistakes(unit: Unit): readonly TagMistake[] {
  const { functions, mistakes } = docComments(unit);
  const told = functions.flatMap((fn) => fn.tags.flatMap((tag): TagMistake[] => {
    const message = mistakeOf(fn, tag);
    return message === undefined ? [] : [{ pos: tag.pos, message }];
  }));
  return [...mistakes, ...told].sort((a, b) => a.pos - b.pos);
}

function mistakeOf(fn: TaggedFunction, tag: DocTag): string | undefined {
  switch (tag.name) {
    case 'singleWriter':
    case 'failsOpen':
      return tag.text === '' ? `\`@${tag.name}\` of \`${fn.name}\` gives no reason. Say behind it why, for those who read the code.` : undefined;
    case 'maxDuration':
      return toldTime(tag.text) === undefined ? `\`@maxDuration\` of \`${fn.name}\` cannot read \`${tag.text}\` as a time. Write a number and a unit, like \`30s\`, \`500ms\` or \`2 min\`.` : undefined;
    case 'requiresLock':
      return requiredMistake(fn, tag);
    default: {
      const slots = tagSlots(fn, tag);
      return 'mistake' in slots ? slots.mistake : undefined;
    }
  }
}

/** One word alone is meant as a parameter; more of them are prose. Without any the written row is meant. */
function requiredMistake(fn: TaggedFunction, { text }: DocTag): string | undefined {
  const words = text.replace(/(?:^|\s)- .*$/, '').trim().split(/\s+/).filter((w) => w !== '');
  const names = parameterNames(fn);
  const [only, ...more] = words;
  if (only === undefined || more.length > 0 || names.includes(only)) return undefined;
  return `\`@requiresLock\` of \`${fn.name}\` names \`${only}\`, which is no parameter: ${names.length === 0 ? 'it has none' : `its parameters are ${names.map((n) => `\`${n}\``).join(', ')}`}.`;
}
