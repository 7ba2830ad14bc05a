// Does it grow with the tree or faster: one audit of 1, 2, 4, 8 copies of the same sources, the sizes in turn.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { auditOnce } from './bench-context.mjs';
import { measure } from './measure.mjs';
import { copyManyTimes } from './scratch-tree.mjs';
import { coldAudit } from './step-lock.mjs';

/** @returns [{ copies, files, runs }] in the order of the sizes, or { failed } in words. */
export async function measureScaling(context, tell) {
  const { copies, runs, timeout } = context.options;
  const home = context.folder('scaling');
  const sizes = [];
  try {
    for (const count of copies) {
      const root = copyManyTimes(context.subject, join(home, String(count)), count);
      sizes.push({ copies: count, root, files: auditOnce(context.flags, root, '.').files, runs: [] });
    }
    for (let round = 1; round <= runs; round += 1) {
      for (const size of sizes) {
        tell(`round ${round}: ${size.copies} copies`);
        const ran = await measure(coldAudit(context.flags, size.root, '.'), { timeoutMs: timeout * 60_000 });
        if (ran.status !== 0) return { failed: `${size.copies} copies: ${ran.late ? `longer than ${timeout} minutes` : `ended with status ${ran.status}`}` };
        size.runs.push(ran);
      }
    }
    return { sizes };
  } finally {
    if (!context.options.keep) rmSync(home, { recursive: true, force: true });
  }
}
