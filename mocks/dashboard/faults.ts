import { describeFault } from '../faults/describe.ts';
import type { FaultReport } from '../faults/fault.ts';
import { onPress, onSend } from './actions.ts';
import { create, find, setText } from './dom.ts';
import { prepareFaultForm, readFault } from './fault-form.ts';
import { createKeyedList } from './keyed-list.ts';
import type { Context, Panel } from './panel.ts';
import { createRefresher } from './refresher.ts';

/** Makes the list of faults, and the form that adds one. */
export function createFaultsPanel(context: Context): Panel {
  const form = find('fault-form', HTMLFormElement);
  const clear = find('faults-clear', HTMLButtonElement);
  const show = createKeyedList<FaultReport>({
    list: find('faults', HTMLUListElement),
    empty: find('faults-empty', HTMLParagraphElement),
    heading: find('faults-heading', HTMLHeadingElement),
    keyOf: ({ id, fault }) => `${id} ${JSON.stringify(fault)}`,
    createRow: ({ id, fault }) =>
      createRow(describeFault(fault), async () => {
        await context.api.call(`DELETE /_mock/faults/${id}`);
        await refresh();
        return 'Removed the fault.';
      }),
  });
  const refresh = createRefresher(async () => {
    const { body } = await context.api.call<FaultReport[]>('GET /_mock/faults');
    show(body);
  });
  prepareFaultForm(form);
  onSend(form, async () => {
    await context.api.call('POST /_mock/faults', readFault(form));
    await refresh();
    return 'Added the fault.';
  });
  onPress(clear, async () => {
    await context.api.call('DELETE /_mock/faults');
    await refresh();
    return 'Removed all faults.';
  });
  return { refresh, clear: () => show([]) };
}

function createRow(text: string, removeFault: () => Promise<string>) {
  const count = create('span', { className: 'quiet' });
  const remove = create('button', { type: 'button', className: 'small end' }, 'Remove');
  remove.ariaLabel = `Remove ${text}`;
  onPress(remove, removeFault);
  return {
    row: create('li', {}, create('span', {}, text), count, remove),
    update: ({ matched }: FaultReport) => setText(count, `matched ${matched}`),
  };
}
