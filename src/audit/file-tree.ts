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

const DISK: FileTree = { read: readSource, isFile: isFileOnDisk };

/** @param disk What is not of the other version is read from it; default the disk, unwatched. */
export function fileTree(other: OtherVersion = new Map(), disk: FileTree = DISK): FileTree {
  return {
    read(path) {
      if (!other.has(path)) return disk.read(path);
      const bytes = other.get(path);
      return bytes === undefined ? 'gone' : sourceOf(bytes);
    },
    isFile: (path) => (other.has(path) ? other.get(path) !== undefined : disk.isFile(path)),
  };
}
