import { element, tell } from './elements.js';

export interface Copying {
  copy(finding: string): void;
}

/** Copies a finding as the text of an issue; where the browser forbids it the text is shown to be copied by hand. */
export function startCopying(): Copying {
  const issues = readIssues();
  const copy = (finding: string): void => {
    const text = issues.get(finding);
    if (text !== undefined) void write(finding, text);
  };
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => { copy(button.dataset['copy'] ?? ''); });
  }
  return { copy };
}

async function write(finding: string, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${finding} is copied`);
  } catch {
    const field = element('copy-text', HTMLTextAreaElement);
    if (field === undefined) return;
    field.value = text;
    element('copy', HTMLDialogElement)?.showModal();
    field.select();
  }
}

function readIssues(): ReadonlyMap<string, string> {
  const data: unknown = JSON.parse(element('data', HTMLScriptElement)?.textContent ?? '{}');
  if (typeof data !== 'object' || data === null || !('issues' in data) || typeof data.issues !== 'object' || data.issues === null) return new Map();
  return new Map(Object.entries(data.issues).flatMap(([id, text]) => (typeof text === 'string' ? [[id, text] as const] : [])));
}
