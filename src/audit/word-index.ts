/** Files whose text holds an identifier as a whole word, in the order the files were given. */
export type WordIndex = (name: string) => readonly string[];

const WORD = /[A-Za-z_$][\w$]*/g;

/** So many names are looked for text by text, which costs a seventh of what an index of all words does; more are worth one. */
const MOST_SEARCHES = 6;

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

/** Whether a text holds a name as a whole word, by the same reading of words as the index. */
export function holdsWord(text: string | undefined, name: string): boolean {
  if (text === undefined || !isWord(name)) return false;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isPart(text.charCodeAt(at + name.length)) && beginsWord(text, at)) return true;
  }
  return false;
}

function isWord(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

/** What stands before belongs to the word unless it is all digits: `2fa` holds the word `fa`. */
function beginsWord(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && isDigit(text.charCodeAt(before))) before--;
  return before < 0 || !isPart(text.charCodeAt(before));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isPart(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code === 36;
}
