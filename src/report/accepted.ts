import type { Finding } from '../review/types.js';

/** Whether somebody has answered for the finding: an exception, or the baseline of an adoption. It is told and never counted. */
export function isAccepted(finding: Finding): boolean {
  return finding.exception !== undefined || finding.baseline === true;
}
