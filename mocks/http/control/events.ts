import { isUnsettled } from '../../service/playback.ts';
import type { OpenWorld, WorldChange } from '../../service/world.ts';
import { tooMany } from '../../state/limits.ts';

/** Maximum number of clients that watch one world at once. */
const maxWatchers = 50;

/** Milliseconds of the world's clock between two events, while the clock alone changes the world. */
const eventInterval = 1000;

/**
 * Sends the events of a world (server-sent events). Each has the time, and names what has changed: `state`, `clock`,
 * `exchange`, `faults`, `snapshots` or `ingest`. While a session is live or a recording is not ready, `state` is sent every second
 * of the world's clock. If changes come faster than the client reads, they become one event.
 * @throws Problem 429 if too many clients are watching.
 */
export function eventStream(world: OpenWorld): ReadableStream<Uint8Array> {
  const expected = `at most ${maxWatchers} clients that watch one world`;
  if (world.watchers >= maxWatchers) throw tooMany('events', expected, 'close one first');
  world.watchers += 1;
  const pending = new Set<WorldChange>(['clock']);
  let wake = (): void => {};
  const onChange = (change: WorldChange): void => {
    pending.add(change);
    wake();
  };
  world.listeners.add(onChange);
  const clientGone = new AbortController();
  return new ReadableStream(
    {
      async pull(controller) {
        while (pending.size === 0 && !clientGone.signal.aborted) {
          const changed = new AbortController();
          wake = () => changed.abort();
          if (await timePasses(world, changed.signal)) pending.add('state');
        }
        if (clientGone.signal.aborted) return;
        if (world.dropped) return controller.close();
        const now = world.clock.now();
        const events = [...pending].map((name) => `event: ${name}\ndata: {"now":${now}}\n\n`);
        pending.clear();
        controller.enqueue(new TextEncoder().encode(events.join('')));
      },
      cancel() {
        clientGone.abort();
        world.listeners.delete(onChange);
        world.watchers -= 1;
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Waits for an interval of the clock, or until `changed` aborts. Returns whether the interval has passed. */
async function timePasses(world: OpenWorld, changed: AbortSignal): Promise<boolean> {
  const { clock } = world;
  if (isUnsettled(world) && !clock.hasEnded())
    await clock.waitUntil(clock.now() + eventInterval * Math.max(1, clock.speed()), changed);
  else await new Promise((resolve) => changed.addEventListener('abort', resolve));
  return !changed.aborted;
}
