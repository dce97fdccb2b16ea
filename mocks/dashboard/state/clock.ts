import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Api } from './api.ts';
import { api, listen } from './connection.ts';
import { everySecond, readersNow, sinceOpened, wait } from './page-time.ts';
import { createSource, type Source } from './source.ts';
import { duration } from './words.ts';

/** Milliseconds from one reading of a clock to the next, to see whether it runs. */
const pause = 250;

/** Milliseconds by which a clock may differ from the reader's without a note. */
const tolerance = 5000;

/** How the clock of the world runs. */
interface Pace {
  /** How much faster than its time source; 0 where it is paused. */
  readonly speed: number;
  /** Whether its time source runs, as that of a server does. */
  readonly runs: boolean;
}

/** What the service said last, and when the page heard it. */
const latest: Signal<{ readonly now: number; readonly at: number } | undefined> = signal(undefined);
const seconds: Signal<number> = signal(0);

everySecond(() => {
  seconds.value += 1;
});

listen({
  happened: (_, now) => hear(now),
  left: () => {
    latest.value = undefined;
  },
});

/** How the clock runs: found out from two readings of it. */
export const pace: Source<Pace> = createSource(['clock'], async (from) => {
  const first = await read(from);
  await wait(pause);
  const { speed, ...second } = await read(from);
  const passed = second.now - first.now;
  // A clock that runs has gone on by as much as the page's own time; both round by a millisecond.
  const least = speed * (second.requested - first.received - 1) - 1;
  const most = speed * (second.received - first.requested + 1) + 1;
  return { speed, runs: passed >= least && passed <= most };
});

/** The time of the world as well as the page knows it; `undefined` before it knows. */
export const worldNow: ReadonlySignal<number | undefined> = computed(() => {
  if (latest.value === undefined) return undefined;
  const { speed, runs } = pace.value.value ?? { speed: 0, runs: false };
  if (!runs) return latest.value.now;
  void seconds.value; // Read it, so that this is computed anew every second.
  return latest.value.now + speed * (sinceOpened() - latest.value.at);
});

/** What is unusual about the clock; empty where it runs with the reader's. */
export const clockNote: ReadonlySignal<string> = computed(() => {
  const [now, { speed, runs } = { speed: 1, runs: true }] = [worldNow.value, pace.value.value];
  if (speed === 0) return 'paused';
  if (!runs) return 'stands still';
  if (speed !== 1) return `${speed}× as fast`;
  const ahead = now === undefined ? 0 : now - readersNow();
  if (Math.abs(ahead) < tolerance) return '';
  return `${duration(Math.round(Math.abs(ahead) / 1000))} ${ahead > 0 ? 'ahead' : 'behind'}`;
});

/** Moves the clock, or changes its speed; the promise settles when that is shown. */
export async function setClock(setting: object): Promise<void> {
  const { body } = await api.value.call<{ now: number }>('POST /_mock/clock', setting);
  hear(body.now);
}

function hear(now: number): void {
  latest.value = { now, at: sinceOpened() };
}

/** What a clock showed, and when the page asked for that and heard of it. */
async function read(from: Api) {
  const requested = sinceOpened();
  const { body } = await from.call<{ now: number; speed: number }>('GET /_mock/clock');
  return { ...body, requested, received: sinceOpened() };
}
