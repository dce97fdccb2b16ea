import { find } from './dom.ts';

const dialog = find('confirm', HTMLDialogElement);

/** Asks before something is lost; `verb` is on the button that does it. */
export function confirmLoss(question: string, verb: string): Promise<boolean> {
  find('confirm-text', HTMLParagraphElement).textContent = question;
  find('confirm-yes', HTMLButtonElement).textContent = verb;
  dialog.returnValue = 'no';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'), { once: true });
  });
}
