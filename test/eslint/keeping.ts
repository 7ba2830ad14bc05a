import type { Keeping } from '../../src/eslint/kept-findings.js';

/** Keeps findings as a process does that ends when `end` is called. */
export interface EndingProcess extends Keeping {
  end(): void;
}

export function endingProcess(build = 'test'): EndingProcess {
  const writes: (() => void)[] = [];
  return { build, atEnd: (write) => { writes.push(write); }, end: () => { for (const write of writes) write(); } };
}
