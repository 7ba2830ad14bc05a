// Runs one command and tells how long it took and what it used: by GNU time where there is one; else a Node process tells its own use at
// its end, and any other program is looked at in /proc while it runs. A figure that cannot be had is left out, never guessed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usageOfTree } from './process-tree.mjs';

const REPORTER = fileURLToPath(new URL('report-usage.cjs', import.meta.url));
const GNU_TIME = '/usr/bin/time';
const POLL_MS = 20;
/** Of what a program prints no more is kept: a type check without dependencies prints megabytes. */
const KEPT_OUTPUT = 32 * 1024 * 1024;

/** The ways to learn what a process used, best first. */
export function usageWays() {
  return [...(hasGnuTime() ? ['time'] : []), 'own'];
}

let gnuTime;
function hasGnuTime() {
  gnuTime ??= existsSync(GNU_TIME) && spawnSync(GNU_TIME, ['-f', '%M', 'true'], { encoding: 'utf8' }).stderr?.trim().match(/^\d+$/) !== null;
  return gnuTime;
}

/**
 * @param command { file, args, cwd, env }: `file` is a program; that of Node itself is `process.execPath`.
 * @returns { wallMs, cpuMs, peakKiB, status, stdout, stderr }. `cpuMs` is user and system time of the process and all under it that it
 *   waited for; `peakKiB` is the greatest memory of one process among them. `status` is `null` for a command that was ended or not found.
 */
export async function measure(command, { timeoutMs, way = usageWays()[0] }) {
  const scratch = mkdtempSync(join(tmpdir(), 'step-lock-bench-usage-'));
  const file = join(scratch, 'usage');
  try {
    const wrapped = way === 'time' ? underTime(command, file) : withReporter(command, file);
    const ran = await run(wrapped, timeoutMs, way !== 'time' && wrapped === command);
    return { ...ran.result, ...(way === 'time' ? readTime(file) : (readReport(file) ?? ran.polled)) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function underTime({ file, args, ...rest }, output) {
  return { file: GNU_TIME, args: ['-f', '%U %S %M', '-o', output, file, ...args], ...rest };
}

function readTime(file) {
  // A command that ends with a status has a line about that before the figures.
  const [user, system, peak] = (existsSync(file) ? readFileSync(file, 'utf8') : '').trim().split('\n').at(-1).split(' ').map(Number);
  return Number.isFinite(peak) ? { cpuMs: (user + system) * 1000, peakKiB: peak } : {};
}

/** A Node process tells of itself; what it starts would be missed, so a launcher of a native program is looked at from outside. */
function withReporter(command, output) {
  if (command.file !== process.execPath || command.native === true) return command;
  return { ...command, args: ['--require', REPORTER, ...command.args], env: { ...command.env, STEP_LOCK_BENCH_USAGE: output } };
}

function readReport(file) {
  if (!existsSync(file)) return undefined;
  const [cpuMicros, peakKiB] = readFileSync(file, 'utf8').trim().split(' ').map(Number);
  return { cpuMs: cpuMicros / 1000, peakKiB };
}

/** The process group that is measured now. */
let running;

/** Ends what is measured now, where something is. */
export function endRunning() {
  if (running !== undefined) endGroup(running);
}

function run({ file, args, cwd, env }, timeoutMs, poll) {
  return new Promise((done) => {
    const began = performance.now();
    // A group of its own, so that an end takes all of it.
    const child = spawn(file, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    running = child.pid;
    let usage;
    const look = () => { usage = most(usage, usageOfTree(child.pid)); };
    const poller = poll ? setInterval(look, POLL_MS) : undefined;
    let late = false;
    const limit = setTimeout(() => { late = true; endGroup(child.pid); }, timeoutMs);
    const stdout = gather(child.stdout);
    const stderr = gather(child.stderr);
    const end = (status) => {
      running = undefined;
      clearInterval(poller);
      clearTimeout(limit);
      const polled = usage === undefined ? {} : { cpuMs: usage.cpuMicros / 1000, peakKiB: usage.peakKiB };
      done({ result: { wallMs: performance.now() - began, status: late ? null : status, late, stdout: stdout(), stderr: stderr() }, polled });
    };
    child.on('error', () => end(null));
    child.on('close', end);
  });
}

/** What ended in between is no longer seen: the most that was seen at one time stays. */
function most(before, now) {
  if (before === undefined || now === undefined) return now ?? before;
  return { cpuMicros: Math.max(before.cpuMicros, now.cpuMicros), peakKiB: Math.max(before.peakKiB, now.peakKiB) };
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended in the same moment.
  }
}

function gather(stream) {
  const chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    if (size < KEPT_OUTPUT) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8');
}
