/** Files whose text holds an identifier as a whole word, in the order the files were given. */
export type WordIndex = (name: string) => readonly string[];

const WORD = /[A-Za-z_$][\w$]*/g;

/**
 * An index of the words of many files, built on the first question: one pass over the texts, then every answer is a look-up. Texts are read
 * again instead of being kept, so memory grows with distinct words, not with source.
 * @param read The text of a file; `undefined` when it cannot be read.
 */
export function createWordIndex(paths: readonly string[], read: (path: string) => string | undefined): WordIndex {
  let index: Map<string, number[]> | undefined;
  return (name) => {
    index ??= build();
    return (index.get(name) ?? []).map((at) => paths[at]).filter((path) => path !== undefined);
  };

  function build(): Map<string, number[]> {
    const words = new Map<string, number[]>();
    paths.forEach((path, at) => {
      for (const word of new Set(read(path)?.match(WORD))) {
        const files = words.get(word);
        if (files === undefined) words.set(word, [at]);
        else files.push(at);
      }
    });
    return words;
  }
}
