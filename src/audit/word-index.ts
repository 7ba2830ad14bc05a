import { holdsWord } from '../engine/syntax/holds-word.js';

/** Files whose text holds an identifier as a whole word, in the order the files were given. */
export type WordIndex = (name: string) => readonly string[];

const WORD = /[A-Za-z_$][\w$]*/g;

/** So many names are looked for text by text, which costs a fifteenth of what an index of all words does: more are worth one. */
const MOST_SEARCHES = 10;

/**
 * An index of the words of many files, built when more than a few are asked for: one pass over the texts, then every answer is a look-up. Texts are read
 * again instead of being kept, so memory grows with distinct words, not with source.
 * @param read The text of a file; `undefined` when it cannot be read.
 */
export function createWordIndex(paths: readonly string[], read: (path: string) => string | undefined): WordIndex {
  let index: Map<string, number[]> | undefined;
  const searched = new Map<string, readonly string[]>();
  return (name) => {
    const held = searched.get(name);
    if (held !== undefined) return held;
    if (index === undefined && searched.size < MOST_SEARCHES) {
      const holding = paths.filter((path) => holdsWord(read(path), name));
      searched.set(name, holding);
      return holding;
    }
    index ??= build();
    return (index.get(name) ?? []).map((at) => paths[at]).filter((path) => path !== undefined);
  };

  function build(): Map<string, number[]> {
    const words = new Map<string, number[]>();
    paths.forEach((path, at) => {
      for (const word of wordsOf(read(path))) {
        const files = words.get(word);
        if (files === undefined) words.set(word, [at]);
        else files.push(at);
      }
    });
    return words;
  }
}

/** The words of a text, each once. */
export function wordsOf(text: string | undefined): ReadonlySet<string> {
  return new Set(text?.match(WORD));
}
