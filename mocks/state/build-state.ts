import type { WorldContents } from '../../fixtures/world-records.ts';
import type { AdjustableClock } from './clock.ts';
import { nextTurn } from './next-turn.ts';
import { recordsOf } from './ordered.ts';
import { createRecords, type Records } from './records.ts';
import type { SavedState } from './saved-state.ts';
import { putRecords, type State } from './state.ts';

/**
 * Builds records from parts, oldest first, and passes them to `use`. One part is built at once. Several
 * parts are built in turns of the event loop, so that other requests are answered in between; before
 * each turn `tell` is called with the number of records so far.
 */
export async function fillRecords<Result>(
  parts: Iterable<WorldContents>,
  tell: (made: number) => void,
  use: (records: Records) => Result,
): Promise<Result> {
  const records = createRecords();
  let isFirst = true;
  for (const part of parts) {
    if (!isFirst) {
      tell(records.count());
      await nextTurn();
    }
    isFirst = false;
    putRecords(records, part);
  }
  return use(records);
}

/** Builds a state from a saved one, as {@link fillRecords} does, and passes it to `use`. */
export function readState<Result>(
  { seed, userId, random, ...contents }: SavedState & { readonly seed: string },
  use: (state: State) => Result,
  tell: (made: number) => void = () => {},
): Promise<Result> {
  return fillRecords(partsOf(contents), tell, (records) => use({ seed, userId, random, records }));
}

/** Cuts records into parts of at most 500. */
function* partsOf(contents: WorldContents): Generator<WorldContents> {
  const { streams, sessions } = contents;
  const length = 500;
  if (streams.length + sessions.length <= length) return yield contents;
  for (let at = 0; at < streams.length; at += length) {
    yield { streams: streams.slice(at, at + length), sessions: [] };
  }
  for (let at = 0; at < sessions.length; at += length) {
    yield { streams: [], sessions: sessions.slice(at, at + length) };
  }
}

/** The state and its clock as JSON. */
export function saveState(
  { seed, userId, random, records }: State,
  clock: Pick<AdjustableClock, 'now' | 'speed'>,
): SavedState {
  const streams = [...recordsOf(records.streams), ...records.deletedStreams()];
  const sessions = recordsOf(records.sessions);
  const speed = clock.speed();
  return {
    version: 2,
    now: clock.now(),
    ...(speed !== 1 && { speed }),
    ...{ seed, userId, random, streams, sessions },
  };
}
