import { element } from './elements.js';

const KEY = 'step-lock-theme';

/** Dark or light: as the system says, until the reader chooses. */
export function startTheme(): { toggle(): void } {
  const root = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)');
  const stored = read();
  if (stored === 'dark' || stored === 'light') root.dataset['theme'] = stored;
  const toggle = (): void => {
    const dark = root.dataset['theme'] === undefined ? system.matches : root.dataset['theme'] === 'dark';
    root.dataset['theme'] = dark ? 'light' : 'dark';
    write(root.dataset['theme']);
  };
  const button = element('theme', HTMLButtonElement);
  if (button !== undefined) button.hidden = false;
  button?.addEventListener('click', toggle);
  return { toggle };
}

/** A page opened from a file may have no storage. */
function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function write(theme: string): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // The choice holds for this page.
  }
}
