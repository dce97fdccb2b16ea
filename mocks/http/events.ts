import { Problem } from '../problems/problem.ts';
import { isUnsettled } from '../service/recording.ts';
import type { WorldChange, WorldState } from '../service/world.ts';

/** Clients that may watch one world at once. */
const mostWatchers = 50;

/** How often a world is looked at again while time alone changes it, in milliseconds. */
const interval = 1000;

/**
 * Server-sent events of a world: each names what has changed, `state`, `clock`, `exchange` or
 * `faults`, and tells the time. While a session is live or a recording is being made, `state` comes
 * every second of the world's clock. Changes that come faster than the client reads become one.
 * @throws Problem 429 when too many are watching.
 */
export function eventStream(world: WorldState): ReadableStream<Uint8Array> {
  if (world.watchers >= mostWatchers) {
    throw new Problem('full', {
      path: 'events',
      expected: `at most ${mostWatchers} clients that watch one world`,
      got: 'another',
      advice: 'close one first',
    });
  }
  world.watchers += 1;
  const pending = new Set<WorldChange>(['clock']);
  let wake = (): void => {};
  const hear = (change: WorldChange): void => {
    pending.add(change);
    wake();
  };
  world.listeners.add(hear);
  const gone = new AbortController();
  return new ReadableStream(
    {
      async pull(controller) {
        while (pending.size === 0 && !gone.signal.aborted) {
          const heard = new AbortController();
          wake = () => heard.abort();
          if (await timePasses(world, heard.signal)) pending.add('state');
        }
        if (gone.signal.aborted) return;
        const now = world.clock.now();
        const events = [...pending].map((name) => `event: ${name}\ndata: {"now":${now}}\n\n`);
        pending.clear();
        controller.enqueue(new TextEncoder().encode(events.join('')));
      },
      cancel() {
        gone.abort();
        world.listeners.delete(hear);
        world.watchers -= 1;
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Whether an interval in which time alone changes the world has passed before something is heard. */
async function timePasses(world: WorldState, heard: AbortSignal): Promise<boolean> {
  const { clock } = world;
  if (isUnsettled(world) && !clock.hasEnded()) await clock.waitUntil(clock.now() + interval, heard);
  else await new Promise((resolve) => heard.addEventListener('abort', resolve));
  return !heard.aborted;
}
