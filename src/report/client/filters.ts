import { element } from './elements.js';

export interface Filters {
  /** The findings that pass, in their order. */
  shown(): HTMLElement[];
}

/** Filters and search over the findings, and links that lead to one that is filtered out. */
export function startFilters(): Filters {
  const findings = [...document.querySelectorAll<HTMLElement>('article.finding')];
  const form = element('filters', HTMLFormElement);
  if (form !== undefined) listen(form, findings);
  return { shown: () => findings.filter(({ hidden }) => !hidden) };
}

function listen(form: HTMLFormElement, findings: readonly HTMLElement[]): void {
  // What is folded is searched too; reading it once is quicker than at every key.
  const texts = new Map(findings.map((finding) => [finding, (finding.textContent).toLowerCase()]));
  const apply = (): void => {
    const values = [...new FormData(form)].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value] as const] : []));
    for (const finding of findings) finding.hidden = !values.every(([name, value]) => passes(finding, texts.get(finding) ?? '', name, value));
    const shown = findings.filter(({ hidden }) => !hidden).length;
    const output = form.elements.namedItem('shown');
    if (output instanceof HTMLOutputElement) output.value = shown === findings.length ? `${String(shown)} findings` : `${String(shown)} of ${String(findings.length)} findings`;
  };
  form.hidden = false;
  form.addEventListener('input', apply);
  form.addEventListener('submit', (event) => { event.preventDefault(); });
  // At the event the fields still have their old values.
  form.addEventListener('reset', () => { setTimeout(apply); });
  apply();

  const reveal = (): void => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const finding = target?.closest<HTMLElement>('article.finding');
    if (finding?.hidden === true) {
      form.reset();
      for (const each of findings) each.hidden = false;
    }
    // Some browsers unfold it themselves, others do not.
    const folded = target?.closest('details');
    if (folded) folded.open = true;
    // A link to a lock or a question leads to what is folded within it.
    const inner = target?.querySelector(':scope > details');
    if (inner instanceof HTMLDetailsElement) inner.open = true;
    target?.scrollIntoView({ block: 'start' });
  };
  addEventListener('hashchange', reveal);
  if (location.hash !== '') reveal();
}

function passes(finding: HTMLElement, text: string, name: string, value: string): boolean {
  if (name === 'search') return value.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  const own = finding.dataset[name] ?? '';
  return own === value || (name === 'folder' && own.startsWith(`${value}/`));
}
