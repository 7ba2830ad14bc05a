import { isFileOnDisk } from './probe.js';
import { readSource, sourceOf, type SourceText } from './read-source.js';

/**
 * Files of another version of the tree, by absolute path with `/`: what stands there in place of what lies on the disk. Undefined: the file is not
 * there in that version.
 */
export type OtherVersion = ReadonlyMap<string, Uint8Array | undefined>;

/** The files of a tree as the audit reads them: those on the disk, or those of another version laid over them. */
export interface FileTree {
  read(path: string): SourceText;
  isFile(path: string): boolean;
}

export function fileTree(other: OtherVersion = new Map()): FileTree {
  return {
    read(path) {
      if (!other.has(path)) return readSource(path);
      const bytes = other.get(path);
      return bytes === undefined ? 'gone' : sourceOf(bytes);
    },
    isFile: (path) => (other.has(path) ? other.get(path) !== undefined : isFileOnDisk(path)),
  };
}
