import type { Stream } from 'livestream-mock';
import { element } from './dom.ts';

/** The switch that turns recording of future sessions on or off. */
export interface RecordSwitch {
  readonly element: HTMLElement;
  show(stream: Stream): void;
}

/** Makes the switch. It moves back if `change` fails. */
export function recordSwitch(change: (record: boolean) => Promise<boolean>): RecordSwitch {
  const input = element('input', { type: 'checkbox', role: 'switch' });
  /** What was set here, by stream: a service need not show it. */
  const lastSet = new Map<string, boolean>();
  let shownId = '';
  input.addEventListener('change', async () => {
    const record = input.checked;
    const id = shownId;
    if (await change(record)) lastSet.set(id, record);
    else if (id === shownId) input.checked = !record;
  });
  return {
    element: element('label', {}, input, ' Record future sessions'),
    show({ id, record }: Omit<Stream, 'record'> & { record?: boolean }) {
      const isOther = id !== shownId;
      shownId = id;
      const known = record ?? lastSet.get(id);
      if (known !== undefined) input.checked = known;
      else if (isOther) input.checked = false;
    },
  };
}
