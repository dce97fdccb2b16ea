import type { VNode } from 'preact';
import { Action } from '../parts/action.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { Time } from '../parts/time.tsx';
import { clockNote, pace, setClock, worldNow } from '../state/clock.ts';
import { connection } from '../state/connection.ts';
import { complain, say } from '../state/notice.ts';
import { useSource } from '../state/source.ts';

const steps = [
  { by: '1s', label: '+1 s' },
  { by: '1m', label: '+1 min' },
  { by: '10m', label: '+10 min' },
] as const;

const speeds = [
  { speed: 0, label: 'Paused' },
  { speed: 1, label: 'Usual speed' },
  { speed: 60, label: '60× as fast' },
  { speed: 600, label: '600× as fast' },
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

/** Everything that moves the clock of the world. */
export function ClockControls(): VNode {
  const send = async (form: HTMLFormElement): Promise<string> => {
    const said = await advance(readForm(form)['advance'] ?? '');
    form.reset();
    return said;
  };
  return (
    <fieldset class="inline tool" aria-label="Clock" disabled={connection.value !== 'connected'}>
      <Speed />
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

function Speed(): VNode {
  const { speed = 1 } = pace.value.value ?? {};
  const isListed = speeds.some((row) => row.speed === speed);
  const choose = (chosen: string): Promise<void> =>
    setClock({ speed: Number(chosen) })
      .then(() =>
        say(chosen === '0' ? 'The clock is paused.' : `The clock runs ${chosen}× as fast.`),
      )
      .catch(complain);
  return (
    <select
      class="small"
      aria-label="Speed of the clock"
      value={speed}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      {speeds.map((row) => (
        <option key={row.speed} value={row.speed}>
          {row.label}
        </option>
      ))}
      {!isListed && <option value={speed}>{speed}× as fast</option>}
    </select>
  );
}

async function advance(by: string): Promise<string> {
  await setClock({ advance: by });
  return `The clock moved on by ${by}.`;
}
