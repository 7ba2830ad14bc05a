/** The text as ESLint hands it to a parser: `#!` makes no difference to what the file says, and a program may hold a file both ways. Offsets stay. */
export function withoutShebang(text: string): string {
  return text.startsWith('#!') ? `//${text.slice(2)}` : text;
}
