import { packedState, unpackedState, type AuditState } from './audit-state.js';
import { readKept, writeKept } from './kept-file.js';
import { UserMistake } from './user-mistake.js';

/** What stands for the root in a shard: its tree may lie elsewhere on the machine that joins them. No path holds this character. */
const ROOT = '\\u0001/';

/**
 * Writes what a share of the files gave, for a machine that joins all of them.
 * @param root The root of the audit, absolute, with `/`.
 * @throws {UserMistake} for a place that cannot be written to.
 */
export function writeShard(path: string, state: AuditState, { root, tool }: { readonly root: string; readonly tool: string }): void {
  if (!writeKept(path, tool, unrooted(packedState(state), root))) {
    throw new UserMistake(`The shard \`${path}\` cannot be written.`, 'Give --shard-dir a folder that can be written to.');
  }
}

/**
 * Reads a shard for the tree at the root.
 * @throws {UserMistake} for a file that is no shard of this version.
 */
export function readShard(path: string, { root, tool }: { readonly root: string; readonly tool: string }): AuditState {
  const read = readKept(path, tool);
  const state = read.kind === 'whole' ? unpackedState(read.body.replaceAll(ROOT, `${inJson(root)}/`)) : undefined;
  if (state !== undefined) return state;
  throw new UserMistake(
    `The shard \`${path}\` ${read.kind === 'foreign' ? 'was written by another version of step-lock' : 'cannot be read'}.`,
    'Run `audit --shard` for it again, with the version that joins the shards.',
  );
}

/** Paths begin a text or follow what no path ends with, so that a path that only contains the root is left alone. */
function unrooted(json: string, root: string): string {
  const quoted = inJson(root).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return json.replace(new RegExp(`(?<=["\\s'\`(#?!,:])${quoted}/`, 'g'), () => ROOT);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
