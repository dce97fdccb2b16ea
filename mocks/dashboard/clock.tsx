import { computed, type ReadonlySignal } from '@preact/signals';
import type { VNode } from 'preact';
import { Button, Card, Time } from './controls.tsx';
import { Form, FormField, readForm } from './form.tsx';
import { act, api, sayOutcome } from './page-state/api.ts';
import { connection, createSource } from './page-state/connection.ts';
import { clockText, duration, momentText } from './page-state/words.ts';

/** A clock that differs from the reader's by fewer milliseconds than this gets no note. */
const clockTolerance = 5000;

interface ClockReading {
  readonly now: number;
  readonly speed: number;
  /** Whether time has passed since the previous reading. */
  readonly runs: boolean;
}

const clock = createSource<ClockReading>(['clock'], async (previous) => {
  const current = await api.call<{ now: number; speed: number }>('GET /_mock/clock');
  return { ...current, runs: current.now !== previous?.now };
});

setInterval(clock.refresh, 1000);

/** The world's time; `undefined` until it is loaded. */
export const worldNow: ReadonlySignal<number | undefined> = computed(() => clock.value?.now);

/** What is unusual about the clock; empty if it agrees with the reader's. */
function clockNote({ now, speed, runs }: ClockReading): string {
  if (speed === 0) return 'paused';
  if (!runs) return 'stands still';
  if (speed !== 1) return `${speed}× speed`;
  const ahead = now - Date.now();
  if (Math.abs(ahead) < clockTolerance) return '';
  return `${duration(Math.round(Math.abs(ahead) / 1000))} ${ahead > 0 ? 'ahead' : 'behind'}`;
}

/** The world's time, and what is unusual about its clock. */
export function ClockDisplay(): VNode {
  if (clock.value === undefined) return <time id="now">–</time>;
  const note = clockNote(clock.value);
  return (
    <>
      <Time id="now" at={clock.value.now} />
      {note && (
        <span class="badge waiting" title="This world's clock, compared with yours">
          {note}
        </span>
      )}
    </>
  );
}

/** On a narrow screen, shows the time of day, and opens the menu that has the rest. */
export function ClockButton({ menu }: { readonly menu: string }): VNode | null {
  if (clock.value === undefined) return null;
  const note = clockNote(clock.value);
  const time = clockText(clock.value.now);
  return (
    <button
      type="button"
      class={`plain narrow ${note && 'waiting'}`}
      popovertarget={menu}
      aria-label={['Clock', time, note].filter(Boolean).join(', ')}
    >
      {time} ▾
    </button>
  );
}

function advance(by: string): Promise<string> {
  return act('POST /_mock/clock', `Advanced the clock by ${by}.`, { advance: by });
}

/** The steps by which the clock can be advanced, and the labels of their buttons. */
const advanceSteps = { '1s': '+1 s', '1m': '+1 min', '10m': '+10 min', '1h': '+1 h' };

/** Advances the clock. */
export function ClockControls(): VNode {
  return (
    <fieldset class="inline" aria-label="Clock" disabled={connection.value !== 'connected'}>
      {Object.entries(advanceSteps).map(([by, label]) => (
        <Button key={by} class="small" label={label} run={() => advance(by)} />
      ))}
    </fieldset>
  );
}

const clockSpeeds: ReadonlyMap<number, string> = new Map([
  [0, 'paused'],
  [1, 'normal speed'],
  [60, '60 times normal speed'],
  [600, '600 times normal speed'],
]);

function speedText(speed: number): string {
  return clockSpeeds.get(speed) ?? `${speed} times normal speed`;
}

/** Sets the world's clock, and makes it run faster or pauses it. */
export function ClockCard(): VNode {
  const { speed = 1 } = clock.value ?? {};
  const choices = new Map([...clockSpeeds, [speed, speedText(speed)]]);
  return (
    <Card id="clock" title="Clock">
      <div class="inline">
        <FormField
          name="speed"
          label="Speed"
          value={speed}
          options={choices}
          onChange={({ currentTarget }) => sayOutcome(setSpeed(Number(currentTarget.value)))}
        />
      </div>
      <Form id="advance" class="inline" send={(form) => advance(readForm(form)['advance'] ?? '')}>
        <FormField name="advance" label="Advance by" placeholder="2h, 90s" required />
        <Button type="submit" label="Advance" />
      </Form>
      <Form id="clock" class="inline" send={setMoment}>
        <FormField
          name="now"
          label="Date and time"
          class="wide"
          type="datetime-local"
          step="1"
          required
        />
        <Button type="submit" label="Set the clock" />
      </Form>
      <p class="hint">In your time zone. Setting the clock back does not undo anything.</p>
    </Card>
  );
}

function setMoment(form: HTMLFormElement): Promise<string> {
  const now = new Date(readForm(form)['now'] ?? '').getTime();
  return act('POST /_mock/clock', `Set the clock to ${momentText(now)}.`, { now });
}

function setSpeed(speed: number): Promise<string> {
  const doneText = speed === 0 ? 'The clock is paused.' : `The clock runs at ${speedText(speed)}.`;
  return act('POST /_mock/clock', doneText, { speed });
}
