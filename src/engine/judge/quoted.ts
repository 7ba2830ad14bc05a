import { quotedCode } from '../syntax/shown-code.js';

/** Code in a message: one line in backticks, its middle left out where it is long. */
export const quoted: (code: string, longest?: number) => string = quotedCode;

/** An operation as the subject of a sentence: commands as Redis and SQL write them, functions as code. */
export function quotedApi(api: string): string {
  if (api === 'redis script') return 'EVAL';
  return /^[A-Z][A-Z ]+$/.test(api) ? api : quoted(api, 24);
}
