/** The parts of a process that the command line uses: what a test can stand in for. */
export interface Terminal {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  /** How many milliseconds a second of waiting for a code host takes: 1000 unless a test says less. */
  readonly second?: number;
}

export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** Whether to colour what goes to an output: the flag, then NO_COLOR and FORCE_COLOR, then whether it is a terminal. */
export function wantsColor(output: Output, env: Terminal['env'], flag: boolean): boolean {
  if (!flag || (env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return output.isTTY === true && env['TERM'] !== 'dumb';
}
