import type { AuditResult } from '../audit/audit.js';
import { localPaths } from '../review/local-path.js';
import type { Review } from '../review/types.js';

/** More than this helps nobody to start. */
const MOST_QUESTIONS = 8;

/** What a scan found, for a person who is about to write a configuration: locks, wrappers, targets with their writers, and what only resembles them. */
export function initSummary(review: Review, { analysis, root }: AuditResult): string {
  const local = localPaths(root);
  const sections = [
    section('locks', review.locks.map((l) => `${l.keyTemplate}  ${l.file}:${String(l.line)}  TTL ${l.ttl}, owner ${l.owner}`)),
    section('wrappers', analysis.wrappers.map((w) => `${w.name}  ${local.path(w.place.file)}:${String(w.place.line)}`)),
    section('state', review.targets.flatMap((t) => [
      `${t.name}  ${t.states.join(', ') || 'states not in sight'}`,
      ...t.writers.map((w) => `  ${w.site}  ${w.actor}: ${w.from} -> ${w.to}, guard ${w.guard}, lock ${w.lock}`),
    ])),
    section('look-alikes', review.inventory.lookAlikes.map((l) => `${l.name}  ${l.file}:${String(l.line)}  ${l.why}`)),
  ];
  return `${sections.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string {
  return [`${title} (${String(lines.filter((l) => !l.startsWith(' ')).length)})`, ...lines.map((l) => `  ${l}`)].join('\n');
}

/** The configuration to start from. All that is not known yet stands in comments, so that it says nothing that nobody decided. */
export function initConfig(review: Review): string {
  const locks = review.inventory.lookAlikes.filter((l) => l.configLine.startsWith('locks:'));
  const targets = review.inventory.lookAlikes.filter((l) => l.configLine.startsWith('targets:'));
  const asked = review.questions.filter((q) => q.answer !== '').slice(0, MOST_QUESTIONS);
  return [
    '// What step-lock cannot read off the code. Take the slashes away where a line is true.',
    '/** @type {import(\'step-lock/config\').Config} */',
    'export default {',
    '  profile: \'recommended\', // or \'strict\': the skill to the letter',
    '  policy: {',
    '    // onOutage: \'fail-closed\', // what the work does while the lock store is down: or \'fail-open\'',
    '    // onContention: \'retry\', // what the loser of a lock does: or \'wait\', \'skip\'',
    '    // instances: \'many\', // how many processes run at a time: or \'one\'',
    '  },',
    ...list('locks', locks.map((l) => [`${l.file}:${String(l.line)} ${l.why}`, item(l.configLine)])),
    ...list('targets', [
      ...targets.map((l): Entry => [`${l.file}:${String(l.line)} ${l.why}`, item(l.configLine)]),
      ...review.targets.map((t): Entry => [`judged: ${String(t.writers.length)} writers`, `{ name: ${text(t.name)} }`]),
    ]),
    '  // Tables, models or documents that hold no step state.',
    '  ignoreTargets: [],',
    '};',
    ...(asked.length === 0 ? [] : ['', '// What would settle most of what is unknown:', ...asked.flatMap((q) => [`// ${oneLine(q.question)} (${String(q.unknowns)} unknown)`, `//   ${oneLine(q.answer)}`])]),
    '',
  ].join('\n');
}

type Entry = readonly [why: string, line: string];

function list(key: string, entries: readonly Entry[]): string[] {
  return [`  ${key}: [`, ...entries.flatMap(([why, line]) => [`    // ${oneLine(why)}`, `    // ${oneLine(line)},`]), '  ],'];
}

/** `targets: [{ .. }]` without the list around it. */
function item(configLine: string): string {
  return configLine.slice(configLine.indexOf('[') + 1, configLine.lastIndexOf(']'));
}

function text(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** Names come from the code: a line break must not end the comment. */
function oneLine(value: string): string {
  return value.replace(/[\r\n\u2028\u2029]+/g, ' ');
}
