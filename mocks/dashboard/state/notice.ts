import { type Signal, signal } from '@preact/signals';
import { isAbort } from './api.ts';

/** What the status bar says. */
export interface Notice {
  readonly text: string;
  readonly isTrouble: boolean;
}

export const notice: Signal<Notice | undefined> = signal(undefined);

/** Says what was done. */
export function say(text: string): void {
  notice.value = { text, isTrouble: false };
}

/** Says what went wrong where no field is to blame. What was given up on purpose is no trouble. */
export function complain(error: unknown): void {
  if (isAbort(error)) return;
  const text = error instanceof Error ? error.message : String(error);
  if (notice.value?.text !== text) notice.value = { text, isTrouble: true };
}

/** Says what was done once that is done, or else what went wrong. */
export function announce(doing: Promise<string | undefined>): Promise<void> {
  return doing.then((text) => {
    if (text !== undefined) say(text);
  }, complain);
}

/** Takes away what was said. */
export function clearNotice(): void {
  notice.value = undefined;
}
