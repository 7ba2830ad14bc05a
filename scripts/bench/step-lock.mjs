// How step-lock is called by the bench, by the flags that the measured build knows.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ownPackage } from './peers.mjs';

/** The program that the package names. */
export const BIN = join(ownPackage('step-lock').folder, ownPackage('step-lock').manifest.bin['step-lock']);

/** What the commands of this build can be told about their cache. */
export function knownFlags() {
  return { audit: flagsOf('audit'), review: flagsOf('review') };
}

function flagsOf(command) {
  const help = spawnSync(process.execPath, [BIN, command, '--help'], { encoding: 'utf8' }).stdout;
  return { noCache: /--no-cache\b/.test(help), location: ['--cache-location', '--cache-folder'].find((flag) => new RegExp(`${flag}\\b`).test(help)) };
}

/** An audit that reads and writes no cache. */
export function coldAudit(flags, cwd, path, more = []) {
  return call(cwd, ['audit', path, '--quiet', '--fail-on', 'never', ...(flags.audit.noCache ? ['--no-cache'] : []), ...more]);
}

/** An audit that keeps its cache in a folder of its own. */
export function cachedAudit(flags, cwd, path, cache) {
  return call(cwd, ['audit', path, '--quiet', '--fail-on', 'never', ...location(flags.audit, cache)]);
}

/** A review of what the work tree changed since its commit, with the cache in a folder of its own. */
export function review(flags, cwd, path, cache, more = []) {
  return call(cwd, ['review', path, '--base', 'HEAD', '--quiet', ...location(flags.review, cache), ...more]);
}

function location({ location: flag }, cache) {
  return flag === undefined ? [] : [flag, cache];
}

function call(cwd, args) {
  return { file: process.execPath, args: [BIN, ...args], cwd };
}
