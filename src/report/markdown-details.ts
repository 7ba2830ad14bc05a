import { visible } from './unseen.js';

/** A block that GitHub, GitLab and editors fold. The blank lines let Markdown within be read as such. */
export function details(summary: string, lines: readonly string[]): string[] {
  return ['<details>', `<summary>${summaryText(summary)}</summary>`, '', ...lines, '</details>', ''];
}

/** Text within an HTML tag of a Markdown document: neither markup nor Markdown. */
export function summaryText(text: string): string {
  return visible(text).replace(/\s+/g, ' ').trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/[\\`*_~[\]]/g, '\\$&');
}
