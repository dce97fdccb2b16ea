import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button, Card, Time } from './parts/controls.tsx';
import { Form, FormField, readForm } from './parts/form.tsx';
import { api, sayOutcome } from './state/api.ts';
import { connection, createSource, listen } from './state/connection.ts';
import { duration, momentText } from './state/words.ts';

/** Milliseconds between the two readings that show whether a clock runs. */
const pause = 250;

/** Milliseconds by which a clock may differ from the reader's without a note. */
const tolerance = 5000;

/** The time of the world, and when the page heard it by its own time. */
const latest = signal<{ readonly now: number; readonly at: number } | undefined>(undefined);
const seconds = signal(0);

setInterval(() => {
  seconds.value += 1;
}, 1000);

listen((_, now) => now !== undefined && hear(now));

function hear(now: number): void {
  latest.value = { now, at: performance.now() };
}

/** How much faster than its time source the clock runs, and whether that source runs, as a server's does. */
const pace = createSource(['clock'], async () => {
  const read = () => api.call<{ now: number; speed: number }>('GET /_mock/clock');
  const first = await read();
  await new Promise((resolve) => setTimeout(resolve, pause));
  const second = await read();
  return { speed: second.speed, runs: second.now > first.now };
});

/** The time of the world as well as the page knows it; `undefined` before it knows. */
export const worldNow: ReadonlySignal<number | undefined> = computed(() => {
  if (latest.value === undefined) return undefined;
  const { speed, runs } = pace.value ?? { speed: 0, runs: false };
  if (!runs) return latest.value.now;
  void seconds.value; // Reading it computes this again every second.
  return latest.value.now + speed * (performance.now() - latest.value.at);
});

/** What is unusual about the clock; empty while it runs with the reader's. */
const clockNote = computed(() => {
  const { speed, runs } = pace.value ?? { speed: 1, runs: true };
  if (speed === 0) return 'paused';
  if (!runs) return 'stands still';
  if (speed !== 1) return `${speed}× as fast`;
  const ahead = worldNow.value === undefined ? 0 : worldNow.value - Date.now();
  if (Math.abs(ahead) < tolerance) return '';
  return `${duration(Math.round(Math.abs(ahead) / 1000))} ${ahead > 0 ? 'ahead' : 'behind'}`;
});

/** Moves the clock or changes its speed. The promise settles when the page shows it. */
async function setClock(setting: object, said: string): Promise<string> {
  const { now } = await api.call<{ now: number }>('POST /_mock/clock', setting);
  hear(now);
  return said;
}

function advance(by: string): Promise<string> {
  return setClock({ advance: by }, `The clock moved on by ${by}.`);
}

/** The time of the world, and what is unusual about its clock. */
export function ClockDisplay(): VNode {
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

/** Steps of the clock, and what their buttons say. */
const steps = { '1s': '+1 s', '1m': '+1 min', '10m': '+10 min' };

/** Advances the clock. */
export function ClockControls(): VNode {
  const send = async (form: HTMLFormElement): Promise<string> => {
    const said = await advance(readForm(form)['advance'] ?? '');
    form.reset();
    return said;
  };
  return (
    <fieldset class="inline tool" aria-label="Clock" disabled={connection.value !== 'connected'}>
      {Object.entries(steps).map(([by, label]) => (
        <Button key={by} class="small" label={label} run={() => advance(by)} />
      ))}
      <Form id="advance" class="inline" isBrief send={send}>
        <FormField
          name="advance"
          label="Advance by"
          class="bare short"
          placeholder="2h, 90s"
          required
        />
        <Button type="submit" class="small" label="Advance" />
      </Form>
    </fieldset>
  );
}

const speeds: ReadonlyMap<number, string> = new Map([
  [0, 'paused'],
  [1, 'at its usual speed'],
  [60, '60 times as fast'],
  [600, '600 times as fast'],
]);

/** Sets the clock of the world to a moment, and has it run faster or not at all. */
export function ClockCard(): VNode {
  const { speed = 1 } = pace.value ?? {};
  const choices = new Map([...speeds, [speed, speeds.get(speed) ?? `${speed} times as fast`]]);
  return (
    <Card id="clock" title="Clock">
      <div class="inline">
        <FormField
          name="speed"
          label="It runs"
          class="beside"
          value={speed}
          options={choices}
          onChange={({ currentTarget }) => sayOutcome(setSpeed(Number(currentTarget.value)))}
        />
      </div>
      <Form id="clock" class="inline" send={setMoment}>
        <FormField name="now" label="Moment" class="bare" type="datetime-local" step="1" required />
        <Button type="submit" label="Set the clock" />
      </Form>
      <p class="hint">In your own time zone. Setting the clock back does not undo anything.</p>
    </Card>
  );
}

function setMoment(form: HTMLFormElement): Promise<string> {
  const moment = new Date(readForm(form)['now'] ?? '').getTime();
  return setClock({ now: moment }, `The clock was set to ${momentText(moment)}.`);
}

function setSpeed(speed: number): Promise<string> {
  const said = speed === 0 ? 'The clock is paused.' : `The clock runs ${speeds.get(speed)}.`;
  return setClock({ speed }, said);
}
