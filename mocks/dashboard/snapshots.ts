import { onPress, onSend } from './actions.ts';
import { confirmLoss } from './confirm.ts';
import { create, find, readForm } from './dom.ts';
import { createKeyedList } from './keyed-list.ts';
import type { Context, Panel } from './panel.ts';
import { createRefresher } from './refresher.ts';

/** Makes the list of snapshots; `changed` is for when one was restored. */
export function createSnapshotsPanel(context: Context, changed: () => Promise<unknown>): Panel {
  const form = find('snapshot-form', HTMLFormElement);
  const pathOf = (name: string): string => `/_mock/snapshots/${encodeURIComponent(name)}`;
  let names: readonly string[] = [];
  const showRows = createKeyedList<string>({
    list: find('snapshots', HTMLUListElement),
    empty: find('snapshots-empty', HTMLParagraphElement),
    heading: find('snapshots-heading', HTMLHeadingElement),
    keyOf: (name) => name,
    createRow: (name) => {
      const restore = createButton('Restore', name);
      const remove = createButton('Remove', name);
      onPress(restore, async () => {
        await context.api.call(`POST ${pathOf(name)}/restore`);
        await changed();
        return `The world is as it was in ${name}.`;
      });
      onPress(remove, async () => {
        await context.api.call(`DELETE ${pathOf(name)}`);
        await refresh();
        return `Removed ${name}.`;
      });
      const buttons = create('span', { className: 'inline end' }, restore, remove);
      return { row: create('li', {}, create('code', {}, name), buttons) };
    },
  });
  const show = (wanted: readonly string[]): void => {
    names = wanted;
    showRows(names);
  };
  const refresh = createRefresher(async () => {
    const { body } = await context.api.call<string[]>('GET /_mock/snapshots');
    show(body);
  });
  onSend(form, async () => {
    const { name = '' } = readForm(form);
    await refresh();
    if (names.includes(name) && !(await confirmLoss(`Replace the snapshot ${name}?`, 'Replace'))) {
      return undefined;
    }
    await context.api.call(`PUT ${pathOf(name)}`);
    await refresh();
    form.reset();
    return `Saved ${name}.`;
  });
  return { refresh, clear: () => show([]) };
}

function createButton(verb: string, name: string): HTMLButtonElement {
  const button = create('button', { type: 'button', className: 'small' }, verb);
  button.ariaLabel = `${verb} ${name}`;
  return button;
}
