// The figures as a Markdown table: what a person reads, and what docs/performance.md quotes.
import { lastExponent, linearFit, median, pairedRatio } from './statistics.mjs';

/** What stands beside what. A ratio below 1 says that the first is cheaper. */
export const PAIRS = [
  ['warm', 'node'], ['warm', 'tsc7'], ['changed', 'parse'], ['review', 'cold'], ['cold', 'tsc7'], ['cold', 'tsc6'], ['cold', 'eslint-typed'], ['cold', 'oxlint'], ['tsc7', 'tsc6'],
  ['eslint-typed', 'tsc6'], ['eslint-untyped-ours', 'eslint-untyped'], ['eslint-untyped-again', 'eslint-untyped'], ['eslint-typed-ours', 'eslint-typed'], ['eslint-typed-again', 'eslint-typed'],
];

/** The empty text for no rows. @param rows [{ id, words, runs: [{ wallMs, cpuMs, peakKiB, share }], note, failed }] */
export function rowsTable(rows) {
  if (rows.length === 0) return '';
  const lines = rows.map(({ id, words, runs, note, failed }) => {
    if (failed !== undefined) return [id, words, '-', '-', '-', failed];
    return [id, words, seconds(runs.map(({ wallMs }) => wallMs)), seconds(runs.map(({ cpuMs }) => cpuMs)), mebibytes(runs.map(({ peakKiB }) => peakKiB)), [note ?? '', ...shareOf(runs)].join('')];
  });
  return markdown(['row', 'what runs', 'wall s (least-most)', 'CPU s (least-most)', 'peak MiB', 'note'], lines);
}

/** The pairs of which both rows ran; the empty text when there is none. */
export function ratiosTable(rows) {
  const ran = new Map(rows.filter(({ failed, runs }) => failed === undefined && runs.length > 0).map((row) => [row.id, row.runs]));
  const lines = PAIRS.filter(([a, b]) => ran.has(a) && ran.has(b)).map(([a, b]) => {
    const ratio = (figure) => times(pairedRatio(ran.get(a).map((run) => run[figure]), ran.get(b).map((run) => run[figure])));
    return [`${a} / ${b}`, ratio('wallMs'), ratio('cpuMs'), ratio('peakKiB')];
  });
  return lines.length === 0 ? '' : markdown(['ratio', 'wall', 'CPU', 'peak memory'], lines);
}

/** @param sizes [{ copies, files, runs }], smallest first */
export function scalingTable(sizes) {
  const lines = sizes.map(({ copies, files, runs }) => [`${copies}x`, String(files), seconds(runs.map(({ wallMs }) => wallMs)), seconds(runs.map(({ cpuMs }) => cpuMs)), mebibytes(runs.map(({ peakKiB }) => peakKiB))]);
  const fits = [['wall', 'wallMs', 1000, 's'], ['CPU', 'cpuMs', 1000, 's'], ['peak memory', 'peakKiB', 1024, 'MiB']].map(([name, figure, unit, label]) => {
    const points = sizes.map(({ copies, runs }) => ({ x: copies, y: median(runs.map((run) => run[figure])) / unit }));
    return fitLine(name, points, label);
  });
  return `${markdown(['tree', 'files judged', 'wall s (least-most)', 'CPU s (least-most)', 'peak MiB'], lines)}\n\n${fits.join('\n')}`;
}

/** What part of the CPU our rules took, where the row tells that. */
function shareOf(runs) {
  const share = median(runs.map((run) => run.share));
  return share === undefined ? [] : [`, our rules ${(100 * share).toFixed(2)} % of the CPU`];
}

function fitLine(name, points, label) {
  const fit = linearFit(points);
  if (fit === undefined || !Number.isFinite(fit.slope)) return `- ${name}: no line through one size`;
  const exponent = lastExponent(points);
  const sign = fit.intercept < 0 ? '-' : '+';
  return `- ${name}: ${round(fit.slope)} ${label} a copy ${sign} ${round(Math.abs(fit.intercept))} ${label}; no size is further than ${(100 * fit.farthest).toFixed(0)} % from that line; `
    + `the last step grows with the power ${exponent?.toFixed(2) ?? '-'} of the size`;
}

function markdown(head, lines) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
  return [head, head.map(() => '---'), ...lines].map((line) => `| ${line.map(cell).join(' | ')} |`).join('\n');
}

function seconds(values) {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return '-';
  const middle = round(median(known) / 1000);
  return known.length === 1 ? middle : `${middle} (${round(Math.min(...known) / 1000)}-${round(Math.max(...known) / 1000)})`;
}

function mebibytes(values) {
  const middle = median(values.filter((value) => value !== undefined));
  return middle === undefined ? '-' : (middle / 1024).toFixed(0);
}

/** Three figures that say something: 0.043, 0.43, 4.3, 43.1. */
function round(value) {
  return value < 0.1 ? value.toFixed(3) : value < 10 ? value.toFixed(2) : value.toFixed(1);
}

function times(ratio) {
  return ratio === undefined ? '-' : `${ratio < 0.1 ? ratio.toFixed(3) : ratio.toFixed(2)}x`;
}
