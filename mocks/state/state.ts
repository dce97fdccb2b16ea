import type { WorldContents } from '../../fixtures/world-records.ts';
import type { Update } from './change.ts';
import { nextTurn } from './next-turn.ts';
import { factsOf } from './ordered.ts';
import { createRecords, type Records } from './records.ts';
import type { SavedState } from './saved-state.ts';

/** Everything of a world that is kept, except its clock. */
export interface State {
  /** The seed from which the world starts again. */
  seed: string;
  /** The account behind the key. */
  userId: string;
  /** State of the random source. */
  random: readonly number[];
  readonly records: Records;
}

/** Applies an update to a state. The clock is not part of it. */
export function applyUpdate(state: State, { deleted = [], random, ...contents }: Update): void {
  for (const id of deleted) state.records.deleteStream(id);
  putRecords(state.records, contents);
  if (random !== undefined) state.random = random;
}

function putRecords(records: Records, { streams, sessions }: Partial<WorldContents>): void {
  for (const stream of streams ?? []) records.putStream(stream);
  for (const session of sessions ?? []) records.putSession(session);
}

/**
 * Builds records from parts, oldest first, and passes them to `use`: at once where there is one part,
 * in several turns of the event loop where there are more, so that others are answered in between. Then
 * `tell` is told how many records there are.
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

/** Builds a state from a saved one and passes it to `use`: a small one at once. */
export function readState<Result>(
  { seed, userId, random, ...contents }: SavedState & { readonly seed: string },
  use: (state: State) => Result,
): Promise<Result> {
  const tell = () => {};
  return fillRecords(partsOf(contents), tell, (records) => use({ seed, userId, random, records }));
}

/** Records in parts of at most so many. */
export function* partsOf(contents: WorldContents, length = 500): Generator<WorldContents> {
  const { streams, sessions } = contents;
  if (streams.length + sessions.length <= length) return yield contents;
  for (let at = 0; at < streams.length; at += length) {
    yield { streams: streams.slice(at, at + length), sessions: [] };
  }
  for (let at = 0; at < sessions.length; at += length) {
    yield { streams: [], sessions: sessions.slice(at, at + length) };
  }
}

/** The state as JSON; `now` is the time on its world's clock. */
export function saveState({ seed, userId, random, records }: State, now: number): SavedState {
  const [streams, sessions] = [factsOf(records.streams), factsOf(records.sessions)];
  return { version: 1, now, seed, userId, random, streams, sessions };
}
