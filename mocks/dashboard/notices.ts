import { create, find } from './dom.ts';

const note = find('note', HTMLParagraphElement);
const trouble = find('trouble-text', HTMLDivElement);
const dismiss = find('trouble-close', HTMLButtonElement);

dismiss.addEventListener('click', () => {
  clearTrouble();
  find('main', HTMLElement).focus();
});

/** Says what was done. */
export function say(text: string): void {
  clearTrouble();
  note.textContent = text;
}

/** Says what went wrong, in the service's own words. What was given up on purpose is no trouble. */
export function complain(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const text = error instanceof Error ? error.message : String(error);
  note.textContent = '';
  if (trouble.textContent !== text) trouble.replaceChildren(create('span', {}, text));
  dismiss.hidden = false;
}

function clearTrouble(): void {
  trouble.replaceChildren();
  dismiss.hidden = true;
}

/** Forgets what was said before. */
export function clearNotices(): void {
  clearTrouble();
  note.textContent = '';
}
