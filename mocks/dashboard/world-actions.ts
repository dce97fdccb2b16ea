import { onPress, run } from './actions.ts';
import { confirmLoss } from './confirm.ts';
import { find } from './dom.ts';
import { download } from './download.ts';
import type { Context } from './panel.ts';

const loss = 'Its streams, requests and faults go.';

/** Has the buttons that save, load and reset a whole world do what they say. */
export function prepareWorldActions(context: Context, changed: () => Promise<void>): void {
  onPress(find('reset', HTMLButtonElement), async () => {
    if (!(await confirmLoss(`Put the world back to where it started? ${loss}`, 'Reset'))) {
      return undefined;
    }
    await context.api.call('POST /_mock/reset');
    await changed();
    return 'The world is as it was at first.';
  });
  onPress(find('download-state', HTMLButtonElement), () =>
    download(context.api, '/_mock/state?journal=1', 'livestream-mock-state.json'),
  );
  prepareLoading(async (file) => {
    const state = await readJson(file);
    if (!(await confirmLoss(`Replace the world by that of ${file.name}? ${loss}`, 'Replace'))) {
      return undefined;
    }
    await context.api.call('PUT /_mock/state', state);
    await changed();
    return `The world is that of ${file.name}.`;
  });
}

/** The field for files is hidden: the button opens its dialog. */
function prepareLoading(load: (file: File) => Promise<string | undefined>): void {
  const button = find('load-state', HTMLButtonElement);
  const field = find('state-file', HTMLInputElement);
  button.addEventListener('click', () => field.click());
  field.addEventListener('change', async () => {
    const file = field.files?.[0];
    if (file === undefined) return;
    await run(button, () => load(file));
    // The same file can be chosen again.
    field.value = '';
  });
}

async function readJson(file: File): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch (error) {
    throw new Error(
      `${file.name}: expected the JSON of a report, got: ${(error as Error).message}`,
    );
  }
}
