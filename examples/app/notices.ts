import { element } from './dom.ts';

/** What the app tells its user beside what it shows; a screen reader reads it out. */
export interface Notices {
  /** Something has been done; what was wrong before no longer matters. */
  done(text: string): void;
  /** Something went wrong: a line each. The answer takes it back, unless something came after it. */
  failed(error: unknown): () => void;
  /** Nothing is wrong any more. */
  clear(): void;
}

/** Writes notices into two elements of the page. */
export function notices(status: Element, errors: Element): Notices {
  let latest = 0;
  const showErrors = (text: string): void => {
    latest += 1;
    // The same text again would be read out again.
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
