// The change that a developer makes, again and again: a line at the top moves the file, a function with a known fault stands at its end.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the fault is found as. */
export const FAULT_RULE = 'require-ttl';

/** Writes `text` of a file with the change of that round in it. The change of an earlier round is not kept. */
export function edited(text, round) {
  return `// Moved by the bench, round ${round}.\n${text}
interface BenchStore${round} {
  set(key: string, value: string, mode: 'NX'): Promise<'OK' | null>;
  eval(script: string, keys: number, ...args: string[]): Promise<unknown>;
}
export async function benchStep${round}(redis: BenchStore${round}, stepId: string, owner: string, work: () => Promise<void>): Promise<boolean> {
  const acquired = await redis.set(\`lock:bench:\${stepId}\`, owner, 'NX');
  if (acquired !== 'OK') return false;
  try {
    await work();
    return true;
  } finally {
    const script = "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else return 0 end";
    await redis.eval(script, 1, \`lock:bench:\${stepId}\`, owner).catch(() => undefined);
  }
}
`;
}

/** Edits the files of a scratch tree in place, once a round. */
export function editor(root, files) {
  const originals = files.map((file) => [join(root, file), readFileSync(join(root, file), 'utf8')]);
  return (round) => {
    for (const [file, text] of originals) writeFileSync(file, edited(text, round));
  };
}

/** Some files out of a sorted list, spread over it, the same ones each time. */
export function spread(files, count) {
  if (files.length <= count) return files;
  return Array.from({ length: count }, (_, index) => files[Math.floor(((index + 1) * files.length) / (count + 1))]);
}
