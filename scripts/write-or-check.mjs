import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a generated file, path relative to the package. With `--check` on the command line nothing is written: a difference is told and
 * the exit code is 1.
 */
export function writeOrCheck(path, wanted) {
  const file = new URL(`../${path}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, wanted);
    return;
  }
  if (readFileSync(file, 'utf8') === wanted) return;
  console.error(`${path} is not what its generator writes. Run \`npm run generate\` and commit the result.`);
  process.exitCode = 1;
}
