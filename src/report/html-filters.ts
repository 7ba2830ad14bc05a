import type { Finding } from '../review/types.js';
import { folderOf } from './folder.js';
import { attribute, escape } from './html-text.js';

/** What the findings can be filtered by: the name of the data attribute, and its value for a finding. */
export const FILTERS = {
  rule: { label: 'Rule', of: ({ rule }: Finding) => rule },
  severity: { label: 'Severity', of: ({ severity }: Finding) => severity },
  certainty: { label: 'Certainty', of: ({ certainty }: Finding) => certainty },
  owner: { label: 'Owner', of: ({ owner }: Finding) => owner ?? 'nobody' },
  folder: { label: 'Folder', of: ({ file }: Finding) => folderOf(file) },
  standing: { label: 'Standing', of: standing },
} as const;

function standing({ change, exception, baseline }: Finding): string {
  return exception !== undefined || baseline === true ? 'accepted' : change ?? 'open';
}

/** The filters and the search. Hidden until the script is there to answer them. */
export function htmlFilters(findings: readonly Finding[]): string {
  const selects = Object.entries(FILTERS).map(([name, { label, of }]) => {
    const counts = new Map<string, number>();
    for (const finding of findings) counts.set(of(finding), (counts.get(of(finding)) ?? 0) + 1);
    if (counts.size < 2) return '';
    const options = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, n]) => `<option value="${attribute(value)}">${escape(value)} (${n})</option>`);
    return `<label>${label} <select name="${name}"><option value="">all</option>${options.join('')}</select></label>`;
  });
  return `<form id="filters" role="search" aria-label="Filter the findings" hidden>`
    + `<label>Search <input type="search" name="search" placeholder="text, file, rule" autocomplete="off"></label>\n${selects.filter((select) => select !== '').join('\n')}\n`
    + `<button type="reset">Show all</button> <output name="shown"></output></form>\n`;
}
