import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { view } from '../state/page.ts';

interface Question {
  readonly text: string;
  /** The label of the button that means yes. */
  readonly verb: string;
  readonly answer: (isYes: boolean) => void;
}

const question = signal<Question | undefined>(undefined);

/**
 * Asks before something is lost.
 * @throws AbortError when the user cancels.
 */
export function confirm(text: string, verb: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const answer = (isYes: boolean): void =>
      isYes ? resolve() : reject(new DOMException('The answer was no.', 'AbortError'));
    question.value = { text, verb, answer };
  });
}

/** The dialog that asks. */
export function Confirm(): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const { text, verb } = question.value ?? {};
  useEffect(() => {
    if (text === undefined || dialog.current === null) return;
    dialog.current.returnValue = 'no';
    dialog.current.showModal();
  }, [text]);
  useEffect(() => dialog.current?.close(), [view.value]);
  const close = (): void => {
    question.value?.answer(dialog.current?.returnValue === 'yes');
    question.value = undefined;
  };
  return (
    <dialog ref={dialog} class="card" aria-labelledby="question" onClose={close}>
      <form method="dialog" class="stack">
        <p id="question">{text}</p>
        <div class="inline">
          <button type="submit" value="yes" class="danger">
            {verb}
          </button>
          <button type="submit" value="no">
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  );
}
