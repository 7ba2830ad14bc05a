import type { Review } from '../review/types.js';
import { printable, type Paint, type Style } from './paint.js';
import { count } from './review-words.js';

const EFFECT_STYLE = { weaker: 'red', stronger: 'green', different: 'dim' } as const satisfies Record<string, Style>;

/** What a change did beside its findings: how the protocol moved, what was mended, what was there before. One block; nothing in an audit. */
export function textChange({ change, findings }: Review, paint: Paint): string[] {
  if (change === undefined) return [];
  const { base, mergeBase, filesChanged, protocol, fixed, old } = change;
  const listed = findings.some((finding) => finding.change === 'old');
  return [[
    `${paint('bold', 'change')} against ${printable(base)} (merge base ${mergeBase.slice(0, 12)}): ${count(filesChanged, 'file')} changed, ${count(change.new, 'new finding')}, `
      + `${String(fixed.length)} mended, ${String(old)} there before${old === 0 || listed ? '' : ' (listed with --all)'}`,
    ...protocol.map(({ subject, what, effect, file, line }) => `  ${paint(EFFECT_STYLE[effect], effect.padEnd(9))}  ${printable(`${subject}: ${what}`)}  ${paint('cyan', printable(`${file}:${String(line)}`))}`),
    ...fixed.map(({ rule, file, line, message }) => `  ${paint('green', 'mended   ')}  ${printable(`${rule}  ${file}:${String(line)}  ${message}`)}`),
    '',
  ].join('\n')];
}
