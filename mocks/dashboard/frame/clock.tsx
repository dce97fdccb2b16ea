import type { VNode } from 'preact';
import { Action } from '../parts/action.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { Time } from '../parts/time.tsx';
import { clockNote, pace, setClock, worldNow } from '../state/clock.ts';
import { connection } from '../state/connection.ts';
import { useSource } from '../state/source.ts';

const steps = [
  { by: '1s', label: '+1 s' },
  { by: '1m', label: '+1 min' },
  { by: '10m', label: '+10 min' },
] as const;

/** The time of the world, and what is unusual about its clock. */
export function ClockDisplay(): VNode {
  useSource(pace);
  const now = worldNow.value;
  return (
    <>
      {now === undefined ? <time id="now">–</time> : <Time id="now" at={now} />}
      {clockNote.value && (
        <span class="badge waiting" title="The clock of this world, beside your own">
          {clockNote}
        </span>
      )}
    </>
  );
}

/** What moves the clock of the world on. */
export function ClockControls(): VNode {
  const send = async (form: HTMLFormElement): Promise<string> => {
    const said = await advance(readForm(form)['advance'] ?? '');
    form.reset();
    return said;
  };
  return (
    <fieldset class="inline tool" aria-label="Clock" disabled={connection.value !== 'connected'}>
      {steps.map(({ by, label }) => (
        <Action key={by} class="small" run={() => advance(by)}>
          {label}
        </Action>
      ))}
      <Form id="advance" class="inline" send={send}>
        <Field name="advance" label="Advance by" class="bare" placeholder="2h, 90s" required />
        <button type="submit" class="small">
          Advance
        </button>
      </Form>
    </fieldset>
  );
}

async function advance(by: string): Promise<string> {
  await setClock({ advance: by });
  return `The clock moved on by ${by}.`;
}
