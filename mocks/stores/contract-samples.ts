import { createRandom } from '../../fixtures/random.ts';
import type { SessionRecord, StreamRecord } from '../../fixtures/world-records.ts';
import { buildSession } from '../service/sessions.ts';
import { buildStream } from '../service/streams.ts';
import type { Replacement, Update } from '../state/change.ts';

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
  const parent = stream(number);
  const begun = buildSession(createRandom('sample'), parent, number);
  const id = parent.id.replace('-8000-', '-9000-');
  return { ...begun, id, endedAt: number + 60_000, duration: 60 };
}
