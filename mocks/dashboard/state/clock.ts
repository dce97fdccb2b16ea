import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Api } from './api.ts';
import { api, listen } from './connection.ts';
import { complain } from './notice.ts';
import { everySecond, readersNow, sinceOpened, wait } from './page-time.ts';
import { duration } from './words.ts';

/** Milliseconds from one reading of a clock to the next, to see whether it runs. */
const pause = 250;

/** Milliseconds by which a clock may differ from the reader's without a note. */
const tolerance = 5000;

/** What the service said last, and when. */
const latest: Signal<{ readonly now: number; readonly at: number } | undefined> = signal(undefined);
const runs: Signal<boolean | undefined> = signal(undefined);
const seconds: Signal<number> = signal(0);

everySecond(() => {
  if (runs.value) seconds.value += 1;
});

/** The time of the world as well as the page knows it; `undefined` before it knows. */
export const worldNow: ReadonlySignal<number | undefined> = computed(() => {
  if (latest.value === undefined) return undefined;
  if (!runs.value) return latest.value.now;
  void seconds.value; // Read it, so that this is computed anew every second.
  return latest.value.now + sinceOpened() - latest.value.at;
});

/** What is unusual about the clock; empty where it runs with the reader's. */
export const clockNote: ReadonlySignal<string> = computed(() => {
  if (latest.value === undefined || runs.value === undefined) return '';
  if (!runs.value) return 'stands still';
  const ahead = latest.value.now - readersNow() + sinceOpened() - latest.value.at;
  if (Math.abs(ahead) < tolerance) return '';
  return `${duration(Math.abs(ahead) / 1000)} ${ahead > 0 ? 'ahead' : 'behind'}`;
});

/** Takes a time that the service has sent. */
export function setWorldNow(now: number): void {
  latest.value = { now, at: sinceOpened() };
}

listen({
  connected: () => {
    observe(api.value).catch(complain);
  },
  happened: (_, now) => setWorldNow(now),
  left: () => {
    latest.value = runs.value = undefined;
  },
});

/** Finds out whether the clock runs, as that of a server does, or stands still. */
async function observe(from: Api): Promise<void> {
  const first = await read(from);
  await wait(pause);
  const second = await read(from);
  if (from !== api.value) return;
  runs.value = hasRun(first, second);
  setWorldNow(second.now);
}

/** A clock reading: its value, and when it was requested and received. */
interface Reading {
  readonly now: number;
  readonly requested: number;
  readonly received: number;
}

async function read(from: Api): Promise<Reading> {
  const requested = sinceOpened();
  const { body } = await from.call<{ now: number }>('GET /_mock/clock');
  return { now: body.now, requested, received: sinceOpened() };
}

/** A clock that runs has gone on by as much as the page's own time; this rounds by a millisecond. */
function hasRun(first: Reading, second: Reading): boolean {
  const passed = second.now - first.now;
  return (
    passed >= second.requested - first.received - 1 &&
    passed <= second.received - first.requested + 1
  );
}
