import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { byAge, type StreamRecord } from '../../fixtures/world-records.ts';
import { replaceBy, session, stream } from '../stores/contract-samples.ts';
import { maxDeleted } from './limits.ts';
import { recordsOf } from './ordered.ts';
import { newestFirst, takePage } from './pages.ts';
import { applyUpdate, createRecords, type Records, readState, saveState } from './state.ts';

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
  const { next } = takePage(newestFirst(records.streams), { limit: 2 }, () => true);
  for (const number of [5, 1, 2, 6]) records.deleteStream(stream(number).id);
  records.putStream(stream(7));
  const page = takePage(newestFirst(records.streams), { limit: 2, cursor: next }, () => true);
  expect(namesOf(page.items)).toEqual(['stream 4', 'stream 3']);
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

test('to keep the id of a deleted stream known costs the list no more than to forget it', () => {
  const records = recordsOfNumbers(1, 2, 3, 4, 5, 6);
  records.deleteStream(stream(2).id);
  records.putStream({ ...stream(2), deletedAt: 5 });
  records.deleteStream(stream(4).id);
  expect(records.streams).toMatchObject({ entries: { length: 6 }, removed: 2 });
});

test('a stream is found by its key, as long as it is not deleted', () => {
  const records = createRecords();
  const [one, another] = [stream(1), stream(2)].map((record) => ({
    ...record,
    streamKey: 'shared',
  }));
  for (const record of [one, another]) if (record) records.putStream(record);
  expect(namesOf(records.streamsByKey('shared'))).toEqual(['stream 1', 'stream 2']);
  records.putStream({ ...stream(1), streamKey: 'changed' });
  records.putStream({ ...stream(2), streamKey: 'shared', name: 'renamed' });
  expect(namesOf(records.streamsByKey('changed'))).toEqual(['stream 1']);
  expect(namesOf(records.streamsByKey('shared'))).toEqual(['renamed']);
  records.deleteStream(stream(1).id);
  records.putStream({ ...stream(2), streamKey: 'shared', deletedAt: 1 });
  for (const key of ['shared', 'changed', 'none']) expect(records.streamsByKey(key)).toEqual([]);
});

test('the last 1,000 deleted streams stay known, and those with sessions for as long as these', () => {
  const state = readState(replaceBy(2).state);
  const deletions = Array.from({ length: maxDeleted + 3 }, (_, index) => ({
    ...stream(index),
    deletedAt: index,
  }));
  for (const deleted of deletions) applyUpdate(state, { at: 0, streams: [deleted] });
  const known = deletions.toSpliced(2, 1);
  expect(state.records.deletedStreams()).toEqual(known);
  expect(state.records.deletedStream(stream(2).id)).toBeUndefined();
  expect(state.records.count()).toBe(2);
  const restored = readState(saveState(state, 0, 1));
  applyUpdate(restored, { at: 0, streams: [{ ...stream(5_000), deletedAt: 5_000 }] });
  expect(restored.records.deletedStream(stream(3).id)).toBeUndefined();
  expect(restored.records.deletedStreams()).toHaveLength(maxDeleted + 2);
});

test('a list is sorted by time, and by the order of addition where times are equal', () => {
  const records = createRecords();
  for (const [number, createdAt] of [
    [1, 50],
    [2, 20],
    [3, 50],
    [4, 10],
  ] as const) {
    records.putStream({ ...stream(number), createdAt });
  }
  expect(namesOf(recordsOf(records.streams))).toEqual([
    'stream 4',
    'stream 2',
    'stream 1',
    'stream 3',
  ]);
});

test('a page goes on in the right place after records with earlier and equal times were added', () => {
  const records = createRecords();
  for (const number of [1, 2, 3, 4]) records.putStream({ ...stream(number), createdAt: 100 });
  const { next } = takePage(newestFirst(records.streams), { limit: 2 }, () => true);
  records.putStream({ ...stream(5), createdAt: 100 });
  records.putStream({ ...stream(6), createdAt: 50 });
  const page = takePage(newestFirst(records.streams), { limit: 3, cursor: next }, () => true);
  expect(namesOf(page.items)).toEqual(['stream 2', 'stream 1', 'stream 6']);
});

test('records in any order, added and deleted at random, are listed as if they were sorted', () => {
  const step = fc.record({
    createdAt: fc.integer({ min: 0, max: 9 }),
    removes: fc.boolean(),
    pick: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const records = createRecords();
      let expected: StreamRecord[] = [];
      steps.forEach(({ createdAt, removes, pick }, index) => {
        const removed = removes ? expected[pick % expected.length] : undefined;
        if (removed === undefined) {
          const added = { ...stream(index), createdAt };
          records.putStream(added);
          expected = [...expected, added].toSorted(byAge);
        } else {
          records.deleteStream(removed.id);
          expected = expected.filter(({ id }) => id !== removed.id);
        }
      });
      expect(recordsOf(records.streams)).toEqual(expected);
      expect(records.streams.removed).toBeLessThanOrEqual(expected.length);
    }),
  );
});
