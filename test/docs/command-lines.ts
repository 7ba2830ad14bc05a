import { createProgram } from '../../src/cli/command-line.js';

/**
 * The command lines of a text: `step-lock` and what follows it, up to a pipe, a redirection or the end. Lines that end with `\` go on; what a matrix of GitHub's
 * puts in is a number.
 */
export function commandLines(text: string): string[][] {
  return text.replace(/\\\n\s*/g, ' ').replace(/\$\{\{ matrix\.\w+ \}\}/g, '1').split('\n')
    .flatMap((line) => [...line.matchAll(/(?:^|[\s`(;])step-lock\s+((?:audit|review|init|explain|rules|ledger|merge)\b[^|;>`]*)/g)].map(([, rest = '']) => shellWords(rest)));
}

/** What the CLI has against a command line; undefined where it parses. Nothing is run. */
export async function refused(args: readonly string[]): Promise<string | undefined> {
  let told = '';
  const stream = { write: (text: string) => (told += text) };
  const program = createProgram({ cwd: '/', env: {}, stdout: stream, stderr: stream }, () => undefined);
  for (const command of program.commands) command.action(() => undefined).exitOverride();
  try {
    await program.parseAsync([...args], { from: 'user' });
    return undefined;
  } catch {
    return told;
  }
}

function shellWords(line: string): string[] {
  return (line.trim().match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}
