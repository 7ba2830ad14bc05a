import type { Review } from '../review/types.js';
import { details, list, paragraph } from './html-parts.js';
import type { PageSection } from './html-page.js';
import { code, prose } from './html-text.js';
import { count, shortened, skippedByReason } from './review-words.js';

const MOST_FILES = 50;
const MOST_LOOK_ALIKES = 200;

/** What this review does not speak of: files left out, near misses, and what broke on the way. */
export function htmlBoundaries({ scope, inventory, errors }: Review): PageSection {
  const lookAlikes = shortened(inventory.lookAlikes, MOST_LOOK_ALIKES);
  const near = list(lookAlikes.shown.map(({ file, line, name, why, configLine }) => `${code(`${file}:${line}`)} ${code(name)}: ${prose(why)} To have it judged: ${code(configLine)}`));
  return {
    id: 'boundaries',
    title: 'Evidence boundaries',
    content: paragraph('This review reads source text. It ran no code, looked at no database and at no deployment.')
      + list([`Read and without a word of a lock or a state: ${count(scope.filesWithoutSubjects, 'file')}.`, ...skipped(scope.filesSkipped)])
      + (near === '' ? '' : details(
        `${count(inventory.lookAlikes.length, 'place resembles', 'places resemble')} a lock or a state write and ${inventory.lookAlikes.length === 1 ? 'was' : 'were'} judged by nothing`,
        near + (lookAlikes.more === 0 ? '' : paragraph(`and ${lookAlikes.more} more in the json report`)),
        inventory.lookAlikes.length <= 10,
      ))
      + (errors.length === 0 ? '' : paragraph('Not judged to the end:') + list(errors.map(({ file, line, message }) => `${code(`${file}:${line}`)} ${prose(message)}`))),
  };
}

function skipped(files: Review['scope']['filesSkipped']): string[] {
  if (files.length === 0) return ['No file was left out.'];
  return skippedByReason(files).map(({ reason, files: named }) => {
    const { shown, more } = shortened(named, MOST_FILES);
    return details(`Not judged, ${prose(reason)}: ${count(named.length, 'file')}`, `${shown.map(code).join(', ')}${more === 0 ? '' : ` and ${more} more`}`, named.length <= 3);
  });
}
