import type { Finding, Review } from '../../src/review/types.js';
import { sampleReview } from './sample-review.js';

/** Names and texts that try to be markup, script, or other text than they are. */
export const HOSTILE = {
  script: '</script><script>window.hacked = 1</script>',
  image: '<img src=x onerror="window.hacked = 1">',
  quote: '" onmouseover="window.hacked = 1" x="',
  comment: '<!--',
  rtl: 'admin\u202e\u2066// check later\u2069 \u2066',
  hidden: 'loc\u200bk',
  control: 'a\u0000b\u001b[31mc',
  half: 'a\ud800b',
} as const;

const FILE = `src/${HOSTILE.script}/${HOSTILE.quote}/${HOSTILE.rtl}.ts`;
/** One line of a megabyte, with the place near its end, and lines that are hostile. */
export const HOSTILE_SOURCES: Readonly<Record<string, string>> = {
  [FILE]: ['// first', ...Object.values(HOSTILE), `const data = '${'x'.repeat(1_000_000)}'; release(${HOSTILE.image});`, 'last();'].join('\n'),
};
const LONG_LINE = 2 + Object.keys(HOSTILE).length;

/** The sample review with hostile texts wherever a text of the code can stand. */
export function hostileReview(): Review {
  const review = sampleReview();
  const all = Object.values(HOSTILE).join(' ');
  return {
    ...review,
    findings: review.findings.map((finding, at): Finding => ({
      ...finding,
      file: FILE,
      line: at === 0 ? LONG_LINE : 3,
      column: 1_000_010,
      owner: `@${HOSTILE.image}`,
      message: `${all} \`${all}\``,
      action: HOSTILE.script,
      witness: Object.values(HOSTILE).map((note, step) => ({ file: FILE, line: at === 0 ? LONG_LINE : step + 2, column: 1_000_010, role: 'write', note: `${note} \`${note}\`` })),
      conflictsWith: `${FILE}:1:1`,
      change: 'new',
      causedBy: { file: FILE, line: 1, note: HOSTILE.image },
      exception: at === 1 ? 'x1' : undefined,
    } as Finding)),
    locks: review.locks.map((lock) => ({ ...lock, file: FILE, keyTemplate: all, owner: HOSTILE.image, ttl: HOSTILE.quote, renewal: HOSTILE.script, events: HOSTILE.image })),
    targets: review.targets.map((target) => ({ ...target, name: all, states: [all], transitions: [HOSTILE.image], writers: target.writers.map((writer) => ({ ...writer, actor: all, guard: all, lock: all })) })),
    sites: review.sites.map((site) => ({ ...site, file: FILE, name: HOSTILE.image })),
    questions: review.questions.map((question) => ({ ...question, question: all, answer: HOSTILE.script, settles: [all] })),
    inventory: { ...review.inventory, lookAlikes: [{ file: FILE, line: 1, name: HOSTILE.image, why: all, configLine: HOSTILE.script }] },
    scope: { ...review.scope, filesSkipped: [{ file: FILE, reason: HOSTILE.image }], commit: HOSTILE.image, base: HOSTILE.script },
    exceptions: [{ id: 'x1', rule: HOSTILE.image, file: FILE, line: 1, source: 'comment', owner: all, reason: all, expires: HOSTILE.script, status: 'active', findings: ['f2'] }],
    change: {
      base: HOSTILE.script, mergeBase: HOSTILE.image, filesChanged: 1, new: 1, old: 1,
      fixed: [{ rule: HOSTILE.image, skill: 'R1', severity: 'error', certainty: 'certain', file: FILE, line: 1, message: all, fingerprint: 'x' }],
      protocol: [{ subject: HOSTILE.script, kind: 'lock', what: all, effect: 'weaker', file: FILE, line: 1 }],
    },
    errors: [{ file: FILE, line: 1, message: all }],
  };
}
