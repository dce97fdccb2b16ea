import { expect, test } from 'vitest';
import { session, stream } from '../stores/contract-samples.ts';
import { recordsOf } from './ordered.ts';
import { takePage } from './pages.ts';
import { createRecords, type Records } from './state.ts';

/** Streams with these numbers, each with a session. */
function recordsOfNumbers(...numbers: readonly number[]): Records {
  const records = createRecords();
  for (const number of numbers) {
    records.putStream(stream(number));
    records.putSession(session(number));
  }
  return records;
}

const namesOf = (records: readonly { name: string }[]) => records.map(({ name }) => name);

test('a page continues where the last one ended, whatever was added and deleted in between', () => {
  const records = recordsOfNumbers(1, 2, 3, 4, 5, 6);
  const { next } = takePage(records.streams, { limit: 2 }, () => true);
  for (const number of [5, 1, 2, 6]) records.deleteStream(stream(number).id);
  records.putStream(stream(7));
  const page = takePage(records.streams, { limit: 2, cursor: next }, () => true);
  expect(namesOf(page.records)).toEqual(['stream 4', 'stream 3']);
});

test('a deleted stream that stays known is in no list, but its sessions are', () => {
  const records = recordsOfNumbers(1, 2);
  const deleted = { ...stream(1), deletedAt: 5 };
  records.putStream(deleted);
  expect(records.stream(deleted.id)).toBeUndefined();
  expect(records.deletedStream(deleted.id)).toEqual(deleted);
  expect(records.deletedStreams()).toEqual([deleted]);
  expect(records.streamByPlaybackId(deleted.playbackId)).toBeUndefined();
  expect(namesOf(recordsOf(records.streams))).toEqual(['stream 2']);
  expect(recordsOf(records.sessions)).toEqual([session(1), session(2)]);
});
