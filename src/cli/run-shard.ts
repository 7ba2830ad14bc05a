import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readShard, writeShard } from '../audit/shard-file.js';
import type { AuditState } from '../audit/audit-state.js';
import type { Share } from '../audit/shares.js';
import { absolutePath } from '../audit/file-path.js';
import { UserMistake } from '../audit/user-mistake.js';
import { auditAnew, auditedReview } from './audit-anew.js';
import type { AuditFlags } from './audit-options.js';
import type { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';
import { toolDigest } from './tool-digest.js';
import { checkReportFlags } from './written-report.js';

/** The flags of `audit --shard` and `merge`. */
export interface ShardFlags extends AuditFlags {
  /** Undefined: this run judges all. */
  readonly shard?: Share;
  /** Where shards are written and looked for. */
  readonly shardDir: string;
}

const SHARD_FILE = /^shard-(\d+)-of-(\d+)\.kept$/;

/**
 * Judges one share of the files and writes what it gave. There is no report yet: `merge` writes it.
 * @throws {UserMistake} as `audit` does, and for a folder that cannot be written to.
 */
export async function runShard(paths: readonly string[], flags: ShardFlags, share: Share, terminal: Terminal): Promise<ExitCode> {
  const { result } = await auditedReview(paths, flags, terminal, { earlier: { state: undefined, key: toolDigest() }, share });
  const state = result.state?.();
  if (state === undefined) throw new Error('a share gave no state');
  const file = join(flags.shardDir, `shard-${String(share.index)}-of-${String(share.of)}.kept`);
  writeShard(resolve(terminal.cwd, file), state, { root: result.root, tool: toolDigest() });
  terminal.stdout.write(`Shard ${String(share.index)} of ${String(share.of)}: ${String(state.files.length)} of ${String(result.judged.length)} files judged, written to ${file}. \`step-lock merge\` joins the shards and reports.\n`);
  return 0;
}

/**
 * Joins the shards of a tree and reports as one `audit` of it does.
 * @throws {UserMistake} as `audit` does, and for shards that are missing, cannot be read or are of another tree.
 */
export async function runMerge(paths: readonly string[], flags: ShardFlags, terminal: Terminal): Promise<ExitCode> {
  checkReportFlags(flags);
  const shares = readShards(resolve(terminal.cwd, flags.shardDir), flags.shardDir, absolutePath(terminal.cwd, '.'));
  return auditAnew(paths, flags, terminal, undefined, { earlier: { state: undefined, key: toolDigest() }, shares });
}

function readShards(folder: string, named: string, root: string): AuditState[] {
  const found = shardFiles(folder).sort((a, b) => a.index - b.index);
  const [first] = found;
  if (first === undefined) throw new UserMistake(`There are no shards in \`${named}\`.`, 'Run `step-lock audit --shard 1/n` to `n/n` first, or give --shard-dir the folder that holds what they wrote.');
  if (found.some(({ of }) => of !== first.of)) throw new UserMistake(`The shards in \`${named}\` are of several runs: some of ${String(first.of)}, some of another number.`, 'Empty the folder and run the shards again.');
  const missing = Array.from({ length: first.of }, (_, at) => at + 1).filter((index) => !found.some((shard) => shard.index === index));
  if (missing.length > 0) throw new UserMistake(`Of the ${String(first.of)} shards in \`${named}\`, ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.`, 'Run those shards, or collect what they wrote into the folder.');
  return found.map(({ name }) => readShard(join(folder, name), { root, tool: toolDigest() }));
}

function shardFiles(folder: string): { readonly name: string; readonly index: number; readonly of: number }[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const [, index, of] = SHARD_FILE.exec(name) ?? [];
      return index === undefined || of === undefined ? [] : [{ name, index: Number(index), of: Number(of) }];
    });
  } catch {
    return [];
  }
}
