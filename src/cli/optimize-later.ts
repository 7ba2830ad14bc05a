import process from 'node:process';
import { setFlagsFromString } from 'node:v8';

/**
 * The flag of V8 that has a function run more often before it is optimised, by the first number of V8's version: those of Node 20 and 22, whose optimising compiler
 * takes up what ran for a few milliseconds. In a process that is over in seconds it costs more than it saves: a quarter of the CPU of an audit. Later versions have a
 * quick compiler in between. An unknown flag is told on stderr, so that none is tried.
 */
const FLAGS: Readonly<Record<string, string>> = { 11: '--interrupt-budget=500000', 12: '--invocation-count-for-turbofan=20000' };

/** To be called before the work begins: what V8 has counted already counts on. */
export function optimizeLater(): void {
  const flag = FLAGS[process.versions.v8.split('.')[0] ?? ''];
  if (flag !== undefined) setFlagsFromString(flag);
}
