// What a running process and all under it have used so far, read from /proc: for native programs where the system has no `time`.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second. The kernel shows user space 100 whatever its own clock is. */
const TICKS = 100;

/** CPU time in microseconds and the greatest memory in KiB of one process of the tree; `undefined` where there is no /proc or it ended. */
export function usageOfTree(pid) {
  try {
    const own = usageOf(pid);
    const below = childrenOf(pid).map(usageOfTree).filter((usage) => usage !== undefined);
    return { cpuMicros: [own, ...below].reduce((sum, { cpuMicros }) => sum + cpuMicros, 0), peakKiB: Math.max(own.peakKiB, ...below.map(({ peakKiB }) => peakKiB)) };
  } catch {
    return undefined;
  }
}

function usageOf(pid) {
  // The name in parentheses may hold spaces: the fields are counted from the last parenthesis.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number);
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { cpuMicros: ((user + system + endedUser + endedSystem) / TICKS) * 1e6, peakKiB: Number(peak?.[1] ?? 0) };
}

function childrenOf(pid) {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean));
}
