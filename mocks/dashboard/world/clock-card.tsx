import type { VNode } from 'preact';
import { Card, Submit } from '../parts/card.tsx';
import { Field } from '../parts/field.tsx';
import { Form, readForm } from '../parts/form.tsx';
import { pace, setClock } from '../state/clock.ts';
import { announce } from '../state/notice.ts';
import { useSource } from '../state/source.ts';
import { momentText } from '../state/words.ts';

const speeds = [
  { speed: 0, label: 'paused' },
  { speed: 1, label: 'at its usual speed' },
  { speed: 60, label: '60 times as fast' },
  { speed: 600, label: '600 times as fast' },
] as const;

/** Sets the clock of the world to a moment, and has it run faster or not at all. */
export function ClockCard(): VNode {
  const { speed = 1 } = useSource(pace) ?? {};
  return (
    <Card id="clock" title="Clock">
      <div class="inline">
        <Field
          as="select"
          name="speed"
          label="It runs"
          class="beside"
          value={speed}
          onChange={({ currentTarget }) => announce(setSpeed(Number(currentTarget.value)))}
        >
          {speeds.map((row) => (
            <option key={row.speed} value={row.speed}>
              {row.label}
            </option>
          ))}
          {speeds.every((row) => row.speed !== speed) && (
            <option value={speed}>{speed} times as fast</option>
          )}
        </Field>
      </div>
      <Form id="clock" class="inline" send={setMoment}>
        <Field name="now" label="Moment" class="bare" type="datetime-local" step="1" required />
        <Submit label="Set the clock" />
      </Form>
      <p class="hint">In your own time zone. A clock that is set back undoes nothing.</p>
    </Card>
  );
}

async function setMoment(form: HTMLFormElement): Promise<string> {
  const moment = new Date(readForm(form)['now'] ?? '').getTime();
  await setClock({ now: moment });
  return `The clock was set to ${momentText(moment)}.`;
}

async function setSpeed(speed: number): Promise<string> {
  await setClock({ speed });
  const label = speeds.find((row) => row.speed === speed)?.label;
  return speed === 0 ? 'The clock is paused.' : `The clock runs ${label}.`;
}
