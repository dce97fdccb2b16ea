import { onSend } from './actions.ts';
import { find } from './dom.ts';
import { chooseKey, chosenKey, isShown } from './page.ts';

/** The field for the API key; `open` shows the world of another one. */
export function prepareKeyForm(open: (apiKey: string) => Promise<void>): void {
  const field = find('key', HTMLInputElement);
  field.value = chosenKey();
  field.type = field.value === '' || !isShown(field.value) ? 'password' : 'text';
  onSend(find('key-form', HTMLFormElement), async () => {
    const apiKey = field.value.trim();
    chooseKey(apiKey);
    await open(apiKey);
    return undefined;
  });
  if (field.value === '') field.focus();
}
