import type { Finding, ReviewException } from './types.js';

/** Whether a finding is still to be mended or answered for: no exception accepts it, and the baseline does not hold it. */
export function isOpen({ exception, baseline }: Pick<Finding, 'exception' | 'baseline'>): boolean {
  return exception === undefined && baseline !== true;
}

/** Whether somebody has to look at an exception: it accepts nothing, and says that it does. An audit counts it as a warning. */
export function needsAttention({ status }: Pick<ReviewException, 'status'>): boolean {
  return status === 'expired' || status === 'unused' || status === 'incomplete';
}

/**
 * The exceptions that a change is told of. Those in force stay, since findings name them, but that one ends soon is told only where the change touches it; and one
 * that needs attention is the business of the change that wrote or touched it, never of an unrelated pull request.
 * @param isChanged Whether the change adds or alters a line of head, counted from 1.
 */
export function exceptionsOfChange(exceptions: readonly ReviewException[], isChanged: (file: string, line: number) => boolean): ReviewException[] {
  return exceptions.flatMap((exception): ReviewException[] => {
    if (isChanged(exception.file, exception.line)) return [exception];
    if (needsAttention(exception)) return [];
    if (exception.status !== 'expiring') return [exception];
    const { problem: _, ...rest } = exception;
    return [{ ...rest, status: 'active' }];
  });
}
