/** The element of an id, when it is of that kind. */
export function element<E extends HTMLElement>(id: string, kind: new () => E): E | undefined {
  const found = document.getElementById(id);
  return found instanceof kind ? found : undefined;
}

/** Tells what happened, on the screen and to screen readers. */
export function tell(message: string): void {
  const status = element('status', HTMLElement);
  if (status === undefined) return;
  status.textContent = message;
  status.classList.add('seen');
  setTimeout(() => { status.classList.remove('seen'); }, 2500);
}

/** Shows an element that has no use without the script. */
export function unhide(id: string): void {
  element(id, HTMLElement)?.removeAttribute('hidden');
}
