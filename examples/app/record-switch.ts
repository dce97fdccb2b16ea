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
  input.addEventListener('change', async () => {
    const record = input.checked;
    if (!(await change(record))) input.checked = !record;
  });
  return {
    element: element('label', {}, input, ' Record future sessions'),
    show({ record }) {
      input.checked = record;
    },
  };
}
