import { readState } from './build-state.ts';
import type { Change } from './change.ts';
import { nextTurn } from './next-turn.ts';
import { applyUpdate, type State } from './state.ts';

/** Records that are read in one turn; other requests are answered between turns. */
const sliceLength = 1000;

/**
 * Applies the changes of a world, oldest first. `tell` is called with the number of applied changes.
 * @returns the state; when its last change was made, by the mock's time source; what the world's clock
 * showed then, and how fast it runs. Both times are in milliseconds since 1970.
 * @throws Error when the first change is not a whole state.
 */
export async function replay(
  changes: readonly Change[],
  tell: (applied: number) => void = () => {},
): Promise<{ state: State; at: number; now: number; speed: number }> {
  let state: State | undefined;
  let at = 0;
  let shown = 0;
  let speed = 1;
  let read = 0;
  for (const [index, change] of changes.entries()) {
    const isWhole = 'state' in change;
    const { now, streams = [], sessions = [], ...changed } = isWhole ? change.state : change;
    shown = now ?? shown + (change.at - at) * speed;
    speed = changed.speed ?? (isWhole ? 1 : speed);
    at = change.at;
    state = await applyTo(state, change);
    read += streams.length + sessions.length;
    if (read < sliceLength) continue;
    read = 0;
    tell(index);
    await nextTurn();
  }
  if (state === undefined) throw incomplete();
  tell(changes.length);
  return { state, at, now: Math.round(shown), speed };
}

async function applyTo(state: State | undefined, change: Change): Promise<State> {
  if ('state' in change) return readState({ seed: '', ...change.state }, (whole) => whole);
  if (state === undefined) throw incomplete();
  applyUpdate(state, change);
  return state;
}

function incomplete(): Error {
  return new Error('changes: expected a whole state first, got none');
}
