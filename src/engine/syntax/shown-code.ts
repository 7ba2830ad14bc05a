/** Source text on one line, its end cut off where it is long. */
export function shownCode(text: string, longest: number): string {
  const flat = oneLine(text);
  return flat.length > longest ? `${flat.slice(0, longest - 1).trimEnd()}…` : flat;
}

/** Source text of a call: its arguments left out where it is long. */
export function shownCall(text: string, callee: string, longest: number): string {
  return oneLine(text).length > longest && oneLine(callee).length <= longest - 3 ? `${oneLine(callee)}(…)` : shownCode(text, longest);
}

/** Code in a sentence: one line in backticks. What is long loses its middle, since both ends of a key or a name tell it from others. */
export function quotedCode(text: string, longest = 50): string {
  const flat = oneLine(text).replace(/^`([^`]*)`$/, '$1').replaceAll('`', '\'');
  if (flat.length <= longest) return `\`${flat}\``;
  const tail = Math.floor((longest - 1) / 2);
  return `\`${flat.slice(0, longest - 1 - tail)}…${flat.slice(-tail)}\``;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
