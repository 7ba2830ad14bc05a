// The licences of the packages that esbuild took into a file: they travel with the copy.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {import('esbuild').Metafile} metafile Of the build; its inputs are relative to the root.
 * @param {string} root The folder of the package.
 * @returns {string} Name, version and licence of each package, by name.
 */
export function licenceTexts({ inputs }, root) {
  const folders = [...new Set(Object.keys(inputs).flatMap((input) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[0] ?? []))].sort();
  return folders.map((folder) => licence(join(root, folder))).join('\n');
}

function licence(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined || !existsSync(join(path, file))) throw new Error(`${name} carries no licence text`);
  return `${name} ${version}, ${license}\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
}
