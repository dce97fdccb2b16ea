import { complain, say } from './notices.ts';

/** Something that a user does; what it returns is said when it is done. */
type Action = () => Promise<string | undefined>;

/** Runs an action when a button is pressed, once at a time. */
export function onPress(button: HTMLElement, action: Action): void {
  button.addEventListener('click', () => run(button, action));
}

/** Runs an action when a form is sent, once at a time. */
export function onSend(form: HTMLFormElement, action: Action): void {
  // The browser's own bubble is soon gone.
  form.addEventListener('invalid', ({ target }) => complain(describeInvalid(target)), true);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(form, action);
  });
}

/**
 * Runs an action, unless its control is busy. One that was disabled would lose the focus, so it only
 * says that it is busy.
 */
export async function run(control: HTMLElement, action: Action): Promise<void> {
  if (control.ariaBusy === 'true') return;
  control.ariaBusy = 'true';
  try {
    const text = await action();
    if (text !== undefined) say(text);
  } catch (error) {
    complain(error);
  } finally {
    control.ariaBusy = null;
  }
}

function describeInvalid(target: EventTarget | null): string {
  const { labels, validationMessage } = target as HTMLInputElement;
  return `${labels?.[0]?.textContent?.trim() ?? ''}: ${validationMessage}`;
}
