import { visible } from './unseen.js';

/** Prose for Markdown: code in backticks stays code, everything else is shown as it is written, on one line. */
export function prose(sentence: string): string {
  return oneLine(sentence)
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : part.replace(/[\\`*_~[\]<>#]/g, '\\$&')))
    .join('');
}

/** Text as inline code, whatever backticks it holds. */
export function code(text: string): string {
  const flat = oneLine(text);
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = flat === '' || flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${flat}${pad}${fence}`;
}

/** A table, or nothing for no rows. Cells are Markdown already; their pipes are escaped here, since a cell ends at one even within code. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line), ''];
}

function oneLine(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim();
}
