import { attribute } from './html-text.js';

/** A table within a region that scrolls on its own, or nothing for no rows. Cells are HTML already. */
export function table(caption: string, head: readonly string[], rows: readonly (readonly string[])[], kind = ''): string {
  if (rows.length === 0) return '';
  const cells = (row: readonly string[]): string => row.map((cell, at) => (at === 0 ? `<th scope="row">${cell}</th>` : `<td>${cell}</td>`)).join('');
  return `<div class="scroll" role="region" tabindex="0" aria-label="${attribute(caption)}"><table${kind === '' ? '' : ` class="${kind}"`}>`
    + `<thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead>\n`
    + `<tbody>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('\n')}</tbody></table></div>\n`;
}

/** A list, or nothing for no items. Items are HTML already. */
export function list(items: readonly string[], tag: 'ul' | 'ol' = 'ul'): string {
  return items.length === 0 ? '' : `<${tag}>${items.map((item) => `<li>${item}</li>`).join('\n')}</${tag}>\n`;
}

export function paragraph(content: string): string {
  return `<p>${content}</p>\n`;
}

export function details(summary: string, content: string, open = false): string {
  return `<details${open ? ' open' : ''}><summary>${summary}</summary>\n${content}</details>\n`;
}

/** A status as a coloured word: the word says it, the colour repeats it. */
export function status(word: string): string {
  return `<span class="status s-${attribute(word)}">${attribute(word)}</span>`;
}

/** A link to a finding of the page. */
export function findingLink(id: string): string {
  return `<a href="#${attribute(id)}">${attribute(id)}</a>`;
}
