import { posix } from 'node:path';
import type { Place } from '../engine/place.js';

/** Turns what the engine says into words that do not depend on where the tree lies on this machine. */
export interface LocalPaths {
  /** A path seen from the root, with `/`. */
  path(file: string): string;
  /** A sentence without the absolute root in it. */
  text(sentence: string): string;
  /** `file:line:column` of a place. */
  id(place: Place): string;
}

/** @param root The folder that paths are told from, absolute, with `/`. */
export function localPaths(root: string): LocalPaths {
  const within = root.endsWith('/') ? root : `${root}/`;
  const path = (file: string): string => {
    if (file.startsWith(within)) return file.slice(within.length);
    return file.startsWith('/') && root.startsWith('/') ? posix.relative(root, file) : file;
  };
  return {
    path,
    text: (sentence) => sentence.replaceAll(within, ''),
    id: (place) => `${path(place.file)}:${place.line}:${place.column}`,
  };
}
