import type { Review } from '../review/types.js';
import { code, prose } from './markdown-text.js';
import { count, shortened, skippedByReason } from './review-words.js';

const MOST_FILES = 20;
const MOST_LOOK_ALIKES = 100;

/** What this review does not speak of: files left out, near misses, and what broke on the way. */
export function markdownBoundaries(review: Review): string[] {
  return [
    '## Evidence boundaries',
    '',
    'This review reads source text. It ran no code, looked at no database and at no deployment.',
    '',
    `- Read and without a word of a lock or a state: ${count(review.scope.filesWithoutSubjects, 'file')}.`,
    ...skipped(review),
    '',
    ...lookAlikes(review),
    ...errors(review),
  ];
}

function skipped({ scope: { filesSkipped } }: Review): string[] {
  if (filesSkipped.length === 0) return ['- No file was left out.'];
  return skippedByReason(filesSkipped).map(({ reason, files }) => {
    const { shown, more } = shortened(files, MOST_FILES);
    return `- Not judged, ${prose(reason)}: ${shown.map(code).join(', ')}${more === 0 ? '' : ` and ${more} more`}.`;
  });
}

function lookAlikes({ inventory }: Review): string[] {
  if (inventory.lookAlikes.length === 0) return [];
  const { shown, more } = shortened(inventory.lookAlikes, MOST_LOOK_ALIKES);
  return [
    'Places that resemble a lock or a state write and were judged by nothing, each with the config line that declares it:',
    '',
    ...shown.map(({ file, line, name, why, configLine }) => `- ${code(`${file}:${line}`)} ${code(name)}: ${prose(why)} To have it judged: ${code(configLine)}`),
    ...(more === 0 ? [] : [`- and ${more} more in the json report`]),
    '',
  ];
}

function errors({ errors: all }: Review): string[] {
  if (all.length === 0) return [];
  return ['Not judged to the end:', '', ...all.map(({ file, line, message }) => `- ${code(`${file}:${line}`)} ${prose(message)}`), ''];
}
