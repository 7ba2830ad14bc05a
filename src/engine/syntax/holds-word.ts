/** Whether a text holds a name as a whole word, by the same reading of words as an index of all words has. */
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
