import { createRequire } from 'node:module';

/** The version of this package, from its own manifest: the same in `src` and in `dist`. */
export function packageVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('step-lock/package.json');
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest) || typeof manifest.version !== 'string') {
    throw new Error('the manifest of step-lock has no version');
  }
  return manifest.version;
}
