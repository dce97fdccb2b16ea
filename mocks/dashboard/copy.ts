import { onPress } from './actions.ts';
import { create } from './dom.ts';

/** A button that copies a text; `name` says which, and what is on the button may be shorter. */
export function createCopyButton(
  name: string,
  read: () => string,
  text = 'Copy',
): HTMLButtonElement {
  const button = create('button', { type: 'button', className: 'small' }, text);
  button.ariaLabel = `Copy ${name}`;
  onPress(button, async () => {
    await copy(read());
    return `Copied ${name}.`;
  });
  return button;
}

async function copy(text: string): Promise<void> {
  if (!isSecureContext) {
    throw new Error('copy: browsers allow it on localhost or https only; mark the text instead');
  }
  await navigator.clipboard.writeText(text);
}
