import { Problem } from '../problem.ts';
import { isUnsettled } from '../recording.ts';
import type { WorldChange, WorldState } from '../world.ts';

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
    throw new Problem(
      429,
      `events: expected at most ${mostWatchers} clients that watch one world, got another; close one first`,
    );
  }
  world.watchers += 1;
  const pending = new Set<WorldChange>(['clock']);
  let wake = (): void => {};
  const hear = (change: WorldChange): void => {
    pending.add(change === 'loaded' ? 'state' : change);
    wake();
  };
  world.listeners.add(hear);
  return new ReadableStream(
    {
      async pull(controller) {
        while (pending.size === 0) {
          const heard = new Promise<void>((resolve) => {
            wake = resolve;
          });
          if (!isUnsettled(world)) await heard;
          else if (await timePasses(world, heard)) pending.add('state');
        }
        const now = world.clock.now();
        const events = [...pending].map((name) => `event: ${name}\ndata: {"now":${now}}\n\n`);
        pending.clear();
        controller.enqueue(new TextEncoder().encode(events.join('')));
      },
      cancel() {
        world.listeners.delete(hear);
        world.watchers -= 1;
        wake();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Whether an interval has passed before something else was heard. */
function timePasses({ clock }: WorldState, heard: Promise<void>): Promise<boolean> {
  const passed = clock.waitUntil(clock.now() + interval).then(() => true);
  return Promise.race([passed, heard.then(() => false)]);
}
