import type { CommentForm } from './comments.js';

/** A finding to be accepted, with what is known of who answers for it. */
export interface Written {
  readonly rule: string;
  readonly fingerprint: string;
  /** As the reports tell it. */
  readonly file: string;
  /** Undefined where nobody is known to own the file. */
  readonly owner?: string;
  /** The last day on which the exception holds, `YYYY-MM-DD`. */
  readonly expires: string;
}

/** What is left for a person to fill in: as long as it stands there, the exception accepts nothing. */
const OWNER = '<who answers for it>';
const REASON = '<why it is accepted>';

/** The comment that accepts a finding, to stand on the line before it; undefined where no comment can stand there. */
export function exceptionComment({ rule, owner, expires }: Written, form: CommentForm): string | undefined {
  const text = `step-lock-ignore-next-line ${rule} -- owner: ${owner ?? OWNER}, expires: ${expires}, reason: ${REASON}`;
  if (form === 'none') return undefined;
  return form === 'line' ? `// ${text}` : `{/* ${text} */}`;
}

/** The entry of `step-lock.exceptions.json` that accepts a finding. */
export function exceptionEntry({ rule, fingerprint, file, owner, expires }: Written): string {
  return JSON.stringify({ rule, fingerprint, file, owner: owner ?? OWNER, expires, reason: REASON }, undefined, 2);
}
