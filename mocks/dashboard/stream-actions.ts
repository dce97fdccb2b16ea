import type { Stream } from '../../interface/types.ts';
import { onPress, onSend } from './actions.ts';
import { confirmLoss } from './confirm.ts';
import { find, readForm } from './dom.ts';
import { formatSeconds } from './format.ts';
import { prefix } from './page.ts';
import type { Context } from './panel.ts';

/** What the actions work with. */
interface Scene {
  /** The stream that is shown. */
  readonly shown: () => Stream;
  /** Shows what an action has changed. */
  readonly changed: () => Promise<void>;
}

/** Has the buttons beside a stream do what they say. */
export function prepareStreamActions(context: Context, { shown, changed }: Scene): void {
  const record = find('record', HTMLInputElement);
  const once = find('once-form', HTMLFormElement);
  onPress(find('live', HTMLButtonElement), async () => {
    const { id, isActive } = shown();
    await context.api.call(`POST /_mock/streams/${id}/${isActive ? 'stop' : 'start'}`);
    await changed();
    return isActive ? 'The encoder has disconnected.' : 'An encoder has connected: live.';
  });
  onPress(record, async () => {
    const wanted = record.checked;
    try {
      await context.api.call(`PATCH ${prefix}/stream/${shown().id}/record`, { record: wanted });
    } finally {
      await changed();
    }
    return `Future sessions are ${wanted ? '' : 'not '}recorded.`;
  });
  onSend(once, async () => {
    const duration = Number(readForm(once)['duration']);
    await context.api.call(`POST /_mock/streams/${shown().id}/start`, { duration });
    await changed();
    return `A session of ${formatSeconds(duration)} has begun and ended.`;
  });
  onPress(find('delete', HTMLButtonElement), async () => {
    const { id, name } = shown();
    if (!(await confirmLoss(`Delete ${name} with all of its sessions?`, 'Delete')))
      return undefined;
    await context.api.call(`DELETE ${prefix}/stream/${id}`);
    await changed();
    find('streams-heading', HTMLHeadingElement).focus();
    return `Deleted ${name}.`;
  });
}
