import { element, unhide } from './elements.js';

export interface KeyActions {
  toggleTheme(): void;
  copy(finding: string): void;
  /** The findings one can go to. */
  shown(): readonly HTMLElement[];
}

/** Keys: j and k go from finding to finding, n and p from step to step. Never while one writes, never with a modifier. */
export function startKeys(actions: KeyActions): void {
  unhide('help');
  const keys = element('keys', HTMLDialogElement);
  element('help', HTMLButtonElement)?.addEventListener('click', () => { keys?.showModal(); });
  let current: HTMLElement | undefined;
  // A click or a tab into a finding makes it the current one.
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) current = target.closest<HTMLElement>('article.finding') ?? current;
  });

  const goTo = (finding: HTMLElement | undefined): void => {
    if (finding === undefined) return;
    current = finding;
    finding.focus({ preventScroll: true });
    finding.scrollIntoView({ block: 'start' });
    history.replaceState(null, '', `#${finding.id}`);
  };
  const finding = (by: 1 | -1): void => {
    const shown = actions.shown();
    const at = current === undefined ? -1 : shown.indexOf(current);
    goTo(shown[at === -1 ? 0 : Math.min(Math.max(at + by, 0), shown.length - 1)]);
  };
  const step = (by: 1 | -1): void => {
    if (current === undefined || current.hidden) finding(1);
    if (current !== undefined) goToStep(current, by);
  };
  const bindings: Readonly<Record<string, () => void>> = {
    'j': () => { finding(1); },
    'k': () => { finding(-1); },
    'n': () => { step(1); },
    'p': () => { step(-1); },
    'c': () => { if (current !== undefined) actions.copy(current.id); },
    't': () => { actions.toggleTheme(); },
    '?': () => { keys?.showModal(); },
    '/': () => { document.querySelector<HTMLInputElement>('#filters input[type=search]')?.focus(); },
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target) || document.querySelector('dialog[open]') !== null) return;
    const run = bindings[event.key];
    if (run === undefined) return;
    event.preventDefault();
    run();
  });
}

/** The next step in the order of the path, which is not that of the lines. */
function goToStep(finding: HTMLElement, by: 1 | -1): void {
  const number = (step: Element): number => Number(step.id.slice(step.id.lastIndexOf('-s') + 2));
  const steps = [...finding.querySelectorAll<HTMLElement>('.step')].sort((a, b) => number(a) - number(b));
  const at = steps.findIndex((step) => step === document.activeElement);
  const step = at === -1 ? steps[by === 1 ? 0 : steps.length - 1] : steps[Math.min(Math.max(at + by, 0), steps.length - 1)];
  if (step === undefined) return;
  const folded = step.closest('details');
  if (folded) folded.open = true;
  step.focus({ preventScroll: true });
  step.scrollIntoView({ block: 'center' });
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
