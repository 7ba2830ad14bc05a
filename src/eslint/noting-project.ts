import type { Project } from '../engine/project.js';
import { runLimit } from './run-limits.js';

/** What was asked of other files for the verdict on one. */
export interface Asked {
  /** The files that were looked at, and those that were looked for in vain. */
  readonly files: Set<string>;
  /** The names of which it was asked who mentions them, with the answers. */
  readonly names: Map<string, readonly string[]>;
  /** Where imports led: by the file they stand in, then by specifier; null: nowhere. */
  readonly imports: Map<string, Map<string, string | null>>;
  /** The files whose platform was asked how long a run may take. */
  readonly limits: Set<string>;
}

/** A linter's project; it notes what it is asked. */
export function notingProject(project: Pick<Project, 'file' | 'resolve' | 'filesMentioning'>): { readonly project: Project; readonly asked: Asked } {
  const asked: Asked = { files: new Set(), names: new Map(), imports: new Map(), limits: new Set() };
  return {
    asked,
    project: {
      file(path) {
        const file = project.file(path);
        asked.files.add(path);
        // On systems where case is no difference it may be found under another name.
        if (file !== undefined) asked.files.add(file.fileName);
        return file;
      },
      resolve(from, specifier) {
        const to = project.resolve(from, specifier);
        let own = asked.imports.get(from);
        if (own === undefined) asked.imports.set(from, (own = new Map<string, string | null>()));
        own.set(specifier, to ?? null);
        return to;
      },
      filesMentioning(name) {
        const paths = project.filesMentioning(name);
        if (paths !== 'cannot-say') asked.names.set(name, paths);
        return paths;
      },
      runLimit(path) {
        asked.limits.add(path);
        return runLimit(path);
      },
    },
  };
}
