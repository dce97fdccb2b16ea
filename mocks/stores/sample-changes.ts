import { createRandom } from '../../fixtures/random.ts';
import type { SessionRecord, StreamRecord } from '../../interface/types.ts';
import { buildStream } from '../service/streams.ts';
import { saveState } from '../state/build-state.ts';
import type { Change, Replacement, Update } from '../state/change.ts';
import { createRecords } from '../state/records.ts';
import { applyUpdate, type State } from '../state/state.ts';

/** The state after changes, as one replacement. */
export function apply(changes: readonly Change[]): Replacement {
  let state: State | undefined;
  let at = 0;
  let now = 0;
  for (const change of changes) {
    const update = 'state' in change ? change.state : change;
    if ('state' in change) state = { seed: '', ...change.state, records: createRecords() };
    if (state === undefined) throw new Error('changes: expected a whole state first, got a part');
    at = change.at;
    now = update.now ?? now;
    applyUpdate(state, { at, ...update });
  }
  if (state === undefined) throw new Error('changes: expected a whole state, got nothing');
  return { at, state: saveState(state, { now: () => now, speed: () => 1 }) };
}

/** A world of `count` streams with one session each. */
export function replaceBy(count: number): Replacement {
  const numbers = Array.from({ length: count }, (_, index) => index);
  const streams = numbers.map((number) => stream(number));
  const sessions = numbers.map((number) => session(number));
  const state = { now: 1_000, seed: 's', userId: 'u', random: [1, 2, 3, 4], streams, sessions };
  return { at: 1_000, state: { version: 2, ...state } };
}

export function update(change: Omit<Update, 'at'>): Update {
  return { at: 2_000, ...change };
}

export function stream(number: number, name = `stream ${number}`): StreamRecord {
  const digits = String(number).padStart(12, '0');
  return {
    ...buildStream(createRandom('sample'), number, { name, record: true }),
    id: `00000000-0000-4000-8000-${digits}`,
    playbackId: `0000${digits}`,
  };
}

export function session(number: number): SessionRecord {
  const { name, createdAt, profiles, record, id: parentId } = stream(number);
  const id = parentId.replace('-8000-', '-9000-');
  return {
    id,
    parentId,
    name,
    createdAt,
    profiles,
    record,
    endedAt: number + 60_000,
    duration: 60,
  };
}
