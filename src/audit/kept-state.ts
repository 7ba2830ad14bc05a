import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packedState, unpackedState, type AuditState } from './audit-state.js';
import { digestOf } from './digest.js';

/** What an audit found, kept in a file for the next. */
export interface KeptState {
  read(): AuditState | undefined;
  write(state: AuditState): void;
}

/**
 * @param folder Where it is kept.
 * @param name What tells it from the states of other folders and flags.
 */
export function keptState(folder: string, name: string): KeptState {
  const path = join(folder, `${digestOf(name).slice(0, 16)}.json`);
  return {
    read() {
      try {
        return unpackedState(readFileSync(path, 'utf8'));
      } catch {
        return undefined;
      }
    },
    write(state) {
      try {
        mkdirSync(dirname(path), { recursive: true });
        // Two runs at once must not leave half of each.
        const draft = `${path}.${String(process.pid)}`;
        writeFileSync(draft, packedState(state));
        renameSync(draft, path);
      } catch {
        // A folder that cannot be written to costs time in the next run, nothing else.
      }
    },
  };
}
