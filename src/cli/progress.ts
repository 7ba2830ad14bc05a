import type { Terminal } from './terminal.js';

export interface Progress {
  step(text: string): void;
  /** Takes the line away, so that it never mixes with the report. */
  end(): void;
}

const SILENT: Progress = { step: () => undefined, end: () => undefined };
const CLEAR_LINE = '\r\u001B[2K';

/**
 * A progress line on stderr; silent when nobody watches, in CI, and with `--quiet`. No spinner: the work is synchronous and would starve its
 * timer, and a run that is interrupted must not leave the cursor hidden.
 */
export function createProgress({ stderr, env }: Terminal, quiet: boolean): Progress {
  if (quiet || stderr.isTTY !== true || env['TERM'] === 'dumb' || (env['CI'] ?? '') !== '') return SILENT;
  return {
    step: (text) => { stderr.write(`${CLEAR_LINE}step-lock: ${text}`); },
    end: () => { stderr.write(CLEAR_LINE); },
  };
}
