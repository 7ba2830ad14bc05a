import { createRequire } from 'node:module';

/** The prefix of the plugin's rules and the key of its settings. */
export const NAMESPACE = 'step-lock';

/**
 * Name and version, read from the package's own package.json through its export, so that the path is the same from source and from dist.
 * (A JSON import would print an experimental warning on Node 20.)
 */
export const PACKAGE: { readonly name: string; readonly version: string } = readPackage();

/** The page of a rule, as a path in the installed package: it fits the installed version, and there is no public address yet. */
export function docsUrl(ruleId: string): string {
  return `${PACKAGE.name}/docs/rules/${ruleId}.md`;
}

function readPackage(): { readonly name: string; readonly version: string } {
  const found: unknown = createRequire(import.meta.url)('step-lock/package.json');
  if (typeof found !== 'object' || found === null || !('name' in found) || !('version' in found)) throw new Error('package.json of step-lock is not an object');
  return { name: String(found.name), version: String(found.version) };
}
