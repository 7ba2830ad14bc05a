const EXTENSIONS = ['.ts', '.tsx', '.mts', '.cts', '.js', '.mjs', '.cjs', '.jsx'] as const;

export type Extension = (typeof EXTENSIONS)[number];

/** The extension by which a file is read; undefined for one that is no JavaScript or TypeScript. */
export function extensionOf(filename: string): Extension | undefined {
  if (isUnnamed(filename)) return '.js';
  return EXTENSIONS.find((extension) => filename.endsWith(extension));
}

/** `<input>` and `<text>`: ESLint was given a text without a name and took it for JavaScript. */
export function isUnnamed(filename: string): boolean {
  return /^<\w+>$/.test(filename);
}
