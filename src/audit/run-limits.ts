import { posix } from 'node:path';
import ignore from 'ignore';
import { isRecord } from './is-record.js';

/** After how many milliseconds the platform ends a run of a file's functions; undefined where nothing says so. */
export type RunLimits = (path: string) => number | undefined;

interface Manifest {
  readonly folder: string;
  readonly limits: readonly { readonly matches: (path: string) => boolean; readonly ms: number }[];
}

/**
 * Reads the limits of a tree. A manifest that cannot be parsed tells nothing.
 * @param manifests The absolute paths of its manifests (`run-limits-file.ts`).
 */
export function readRunLimits(manifests: readonly string[], textOf: (path: string) => string | undefined): RunLimits {
  const read = manifests.map((path) => manifestOf(path, textOf(path))).filter((m) => m.limits.length > 0).sort((a, b) => b.folder.length - a.folder.length);
  return (path) => {
    for (const { folder, limits } of read) {
      if (!path.startsWith(`${folder}/`)) continue;
      const told = limits.find(({ matches }) => matches(path.slice(folder.length + 1)));
      if (told !== undefined) return told.ms;
    }
    return undefined;
  };
}

function manifestOf(path: string, text: string | undefined): Manifest {
  const folder = posix.dirname(path);
  const functions = functionsIn(text);
  const limits = Object.entries(functions).flatMap(([pattern, options]) => {
    const seconds = isRecord(options) ? options['maxDuration'] : undefined;
    if (typeof seconds !== 'number') return [];
    const glob = ignore({ ignorecase: false }).add(`/${pattern.replace(/^\.?\//, '')}`);
    return [{ matches: (relative: string): boolean => glob.ignores(relative), ms: seconds * 1000 }];
  });
  return { folder, limits };
}

function functionsIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(text ?? '');
    const functions = isRecord(content) ? content['functions'] : undefined;
    return isRecord(functions) ? functions : {};
  } catch {
    return {};
  }
}
