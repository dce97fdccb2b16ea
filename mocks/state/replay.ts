import { readState } from './build-state.ts';
import type { Change } from './change.ts';
import { nextTurn } from './next-turn.ts';
import { applyUpdate, type State } from './state.ts';

/** Records that are read in one turn; other requests are answered between turns. */
const sliceLength = 1000;

/**
 * Applies the changes of a world, oldest first. `tell` is called with the number of records that are read
 * so far, and of all.
 * @returns the state; when its last change was made, by the mock's time source; what the world's clock
 * showed then, and how fast it runs. Both times are in milliseconds since 1970.
 * @throws Error when the first change is not a whole state.
 */
export async function replay(
  changes: readonly Change[],
  tell: (done: number, all: number) => void = () => {},
): Promise<{ state: State; at: number; now: number; speed: number }> {
  const all = changes.reduce((sum, change) => sum + countRecords(change), 0);
  let state: State | undefined;
  let at = 0;
  let shown = 0;
  let speed = 1;
  let done = 0;
  let sinceTurn = 0;
  for (const change of changes) {
    const isWhole = 'state' in change;
    const { now, ...changed } = isWhole ? change.state : change;
    shown = now ?? shown + (change.at - at) * speed;
    speed = changed.speed ?? (isWhole ? 1 : speed);
    at = change.at;
    state = await applyTo(state, change, (made) => tell(done + made, all));
    done += countRecords(change);
    sinceTurn += isWhole ? 0 : countRecords(change);
    if (sinceTurn < sliceLength) continue;
    sinceTurn = 0;
    tell(done, all);
    await nextTurn();
  }
  if (state === undefined) throw incomplete();
  tell(all, all);
  return { state, at, now: Math.round(shown), speed };
}

function countRecords(change: Change): number {
  const { streams = [], sessions = [] } = 'state' in change ? change.state : change;
  return streams.length + sessions.length;
}

async function applyTo(
  state: State | undefined,
  change: Change,
  tell: (made: number) => void,
): Promise<State> {
  if ('state' in change) return readState({ seed: '', ...change.state }, (whole) => whole, tell);
  if (state === undefined) throw incomplete();
  applyUpdate(state, change);
  return state;
}

function incomplete(): Error {
  return new Error('changes: expected a whole state first, got none');
}
