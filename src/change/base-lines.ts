import type { ChangedFile, ChangedLines } from './diff.js';

/** Where things of base stand in head. Paths are those of the review. */
export interface BaseLines {
  /** The path in head; undefined for a deleted file. */
  path(basePath: string): string | undefined;
  /** The line in head; undefined where the line itself was rewritten or taken away. */
  line(basePath: string, line: number): number | undefined;
}

export function baseLines(lines: ChangedLines): BaseLines {
  const byBasePath = new Map<string, ChangedFile>();
  for (const file of lines.files) if (file.basePath !== undefined && file.status !== 'added') byBasePath.set(file.basePath, file);
  return {
    path(basePath) {
      const file = byBasePath.get(basePath);
      if (file === undefined) return basePath;
      return file.status === 'deleted' ? undefined : file.path;
    },
    line(basePath, line) {
      const file = byBasePath.get(basePath);
      if (file === undefined) return line;
      if (file.status === 'deleted') return undefined;
      let moved = line;
      for (const { oldStart, oldLines, newLines } of file.hunks) {
        if (oldStart > line) break;
        if (line < oldStart + oldLines) return undefined;
        moved += newLines - oldLines;
      }
      return moved;
    },
  };
}
