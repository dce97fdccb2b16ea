import { complain, say } from './notices.ts';

/** Something that a user does; what it returns is said when it is done. */
type Action = () => Promise<string | undefined>;

/** Runs an action when a button is pressed, once at a time. */
export function onPress(button: HTMLElement, action: Action): void {
  button.addEventListener('click', () => run(button, action));
}

/** Runs an action when a form is sent, once at a time. */
export function onSend(form: HTMLFormElement, action: Action): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(form, action);
  });
}

/** A control that was disabled would lose the focus, so it only says that it is busy. */
async function run(control: HTMLElement, action: Action): Promise<void> {
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
