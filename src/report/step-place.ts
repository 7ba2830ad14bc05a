import type { Finding, ReviewStep } from '../review/types.js';

/** The place of a step, its file short when it is the finding's own: the headline has it in full. */
export function stepPlace({ file, line }: Pick<ReviewStep, 'file' | 'line'>, finding: Pick<Finding, 'file'>): string {
  return `${file === finding.file ? file.slice(file.lastIndexOf('/') + 1) : file}:${line}`;
}
