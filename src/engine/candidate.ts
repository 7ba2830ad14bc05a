import type { Models } from './models.js';

/** A test of the raw text: false proves that the file holds no subject. One regex, no allocation. */
export function candidateTest(models: Models): (text: string) => boolean {
  const pattern = new RegExp(models.words.join('|'), 'i');
  return (text) => pattern.test(text);
}
