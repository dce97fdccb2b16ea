import { element } from './dom.ts';

/** Messages to the user, which a screen reader announces. */
export interface Notices {
  /** Shows a success, and removes earlier errors. */
  done(text: string): void;
  /** Shows an error, line by line. The returned function removes it unless it was replaced. */
  failed(error: unknown): () => void;
  /** Removes the errors. */
  clear(): void;
}

/** Writes notices into two elements of the page. */
export function notices(status: Element, errors: Element): Notices {
  let latest = 0;
  const showErrors = (text: string): void => {
    latest += 1;
    // Writing the same text again would make a screen reader repeat it.
    if (errors.textContent === text.replaceAll('\n', '')) return;
    const lines = text === '' ? [] : text.split('\n');
    errors.replaceChildren(...lines.map((line) => element('p', { className: 'error' }, line)));
  };
  return {
    done(text) {
      status.textContent = text;
      showErrors('');
    },
    failed(error) {
      status.textContent = '';
      showErrors(error instanceof Error ? error.message : String(error));
      const mine = latest;
      return () => {
        if (mine === latest) showErrors('');
      };
    },
    clear: () => showErrors(''),
  };
}
