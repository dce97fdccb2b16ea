import { type Signal, signal } from '@preact/signals';
import { isAbort } from './api.ts';

/** What the status bar says. */
interface Notice {
  readonly text: string;
  readonly isError: boolean;
}

export const notice: Signal<Notice | undefined> = signal(undefined);

/** Says what was done. */
export function say(text: string): void {
  notice.value = { text, isError: false };
}

/** Says what went wrong, unless it was cancelled on purpose. */
export function complain(error: unknown): void {
  if (isAbort(error)) return;
  const text = error instanceof Error ? error.message : String(error);
  if (notice.value?.text !== text) notice.value = { text, isError: true };
}

/** Waits for an action, then says its text or its error. */
export function sayOutcome(action: Promise<string>): Promise<void> {
  return action.then(say, complain);
}

/** What was said of one view is over in another. */
addEventListener('hashchange', () => {
  notice.value = undefined;
});
