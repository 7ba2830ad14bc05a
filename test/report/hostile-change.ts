import type { Finding, Review } from '../../src/review/types.js';
import { changedReview } from './changed-review.js';

/** What a file name, a lock key or a comment of a stranger may hold. */
export const HOSTILE = [
  '</script><img src=x onerror=alert(1)>', '<!-- step-lock:summary -->', '\n<!-- step-lock:finding:00000000000000000001 -->\n', '@everyone @acme/admins', '#1 GH-2 https://evil.example/x www.evil.example',
  '\u202Eevil\u2066', '::error file=a.ts::b\r\n::set-output name=a::b', '[click](javascript:alert(1)) ![i](https://evil.example/p.png)', '``` ~~~ `````', '%0A,:%25', '\u0000\u0007\u001B[31m', '\uD800', '| a | b |', '$& $1 {0} {{1}}', '</details></summary>',
].join(' ');

/** The review of a change with hostile text wherever source text or a file's name can come in, and with more than fits anywhere. */
export function hostileChange(): Review {
  const review = changedReview();
  const findings = review.findings.map((finding): Finding => ({
    ...finding, message: `\`${HOSTILE}\` ${HOSTILE}`, action: HOSTILE, file: `src/${HOSTILE.replaceAll('\n', ' ').replaceAll('//', '/')}.ts`, owner: HOSTILE,
    witness: finding.witness.map((step) => ({ ...step, note: HOSTILE, file: HOSTILE })), ...(finding.fix && { fix: { ...finding.fix, title: HOSTILE } }),
  }));
  const [first] = findings;
  if (first === undefined || review.change === undefined) throw new Error('the sample has lost its findings');
  const many = Array.from({ length: 40 }, (_, at): Finding => ({ ...first, id: `f${at + 10}`, line: at + 1, endLine: at + 1, fingerprint: `${at + 100}`.padStart(20, '0') }));
  return {
    ...review,
    findings: [...findings, ...many, { ...first, id: 'f99' }],
    exceptions: review.exceptions.map((exception) => ({ ...exception, reason: HOSTILE, owner: HOSTILE })),
    questions: review.questions.map((question) => ({ ...question, question: HOSTILE, answer: HOSTILE })),
    errors: [{ file: HOSTILE, line: 1, message: HOSTILE }],
    change: {
      ...review.change, base: HOSTILE, fixed: review.change.fixed.map((finding) => ({ ...finding, message: HOSTILE, file: HOSTILE })),
      protocol: review.change.protocol.map((moved) => ({ ...moved, subject: HOSTILE, what: HOSTILE, file: HOSTILE })),
    },
  };
}
