import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UserMistake } from '../audit/user-mistake.js';
import { differingLines, protocolPage } from '../report/protocol.js';
import type { Review } from '../review/types.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';

/** The flags of the protocol file, as commander hands them over. */
export interface ProtocolFlags {
  readonly protocol?: string;
  readonly check?: boolean;
  readonly minSites?: string;
}

const MOST_LINES = 40;

/**
 * Writes the protocol file, or with `--check` compares it and writes nothing; counts the sites against `--min-sites`.
 * @returns 1: the file is stale, or fewer sites were judged than were asked for.
 * @throws {UserMistake} for flags that do not go together, a number that is none, and a file that cannot be written.
 */
export function keepProtocol(review: Review, flags: ProtocolFlags, { cwd, stderr }: Terminal): ExitCode {
  const least = leastSites(flags.minSites);
  if (flags.check === true && flags.protocol === undefined) throw new UserMistake('`--check` compares a protocol file, and none is named.', 'Name it, as in `--protocol step-lock.protocol.md --check`.');
  const isStale = flags.protocol !== undefined && (flags.check === true ? stale(flags.protocol) : written(flags.protocol));
  const isThin = least !== undefined && review.sites.length < least;
  if (isThin) stderr.write(`step-lock: ${String(review.sites.length)} sites were judged, and --min-sites asks for ${String(least)}. Look for files that moved out of the paths or that are left out; the report names them.\n`);
  return isStale || isThin ? 1 : 0;

  function stale(name: string): boolean {
    const there = readText(resolve(cwd, name));
    if (there === undefined) {
      stderr.write(`step-lock: there is no protocol file \`${name}\`. Write it with \`step-lock audit --protocol ${name}\` and commit it.\n`);
      return true;
    }
    const lines = differingLines(there, protocolPage(review));
    if (lines.length === 0) return false;
    const more = lines.length - MOST_LINES;
    stderr.write(`step-lock: \`${name}\` is stale. If the change is meant, write it anew with \`step-lock audit --protocol ${name}\`.\n`);
    stderr.write(`${[...lines.slice(0, MOST_LINES), ...(more > 0 ? [`and ${String(more)} more`] : [])].map((line) => `  ${line}`).join('\n')}\n`);
    return true;
  }

  function written(name: string): false {
    const path = resolve(cwd, name);
    const page = protocolPage(review);
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (readText(path) !== page) writeFileSync(path, page);
    } catch (error) {
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new UserMistake(`The protocol file cannot be written to \`${name}\` (${why}).`, 'Give --protocol the path of a file that can be written.');
    }
    return false;
  }
}

function leastSites(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d+$/.test(given)) throw new UserMistake(`\`--min-sites ${given}\` is no whole number.`, 'Give how many sites must be judged, such as `--min-sites 40`.');
  return Number(given);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
