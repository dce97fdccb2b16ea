import { expect, test } from 'vitest';
import { clientOf } from '../http/dialect.test-support.ts';
import type { MockOptions } from '../mock-options.ts';

/** What a client sees of sessions of these durations in seconds. */
async function durationsWith(variant: MockOptions['variant'], ...durations: readonly number[]) {
  const { list, world } = await clientOf({}, { variant });
  const { id } = await world.createStream({ name: 'Quay', record: true });
  for (const duration of durations) await world.start(id, { duration });
  const sessions = await list(`/api/stream/${id}/sessions`);
  return sessions.map(({ sourceSegmentsDuration }) => sourceSegmentsDuration).toReversed();
}

test('with duration-shorter, no duration is as short as 0', async () => {
  expect(await durationsWith('duration-shorter', 1, 1.5, 2, 4)).toEqual([1, 1.5, 0.5, 2.5]);
});

test('with duration-longer, a session lasts almost two seconds longer', async () => {
  expect(await durationsWith('duration-longer', 1, 4)).toEqual([2.75, 5.75]);
});

test.each(['waiting', 'processing', 'absent'])(
  'unheard-of-statuses wins over a dialect whose recordings are %s at first',
  async (beforeReady) => {
    const { list, world } = await clientOf(
      { behaviours: { 'sessions.status': { beforeReady } } },
      { variant: 'unheard-of-statuses', recordingDelay: 60_000 },
    );
    const { id } = await world.createStream({ name: 'Quay', record: true });
    await world.start(id, { duration: 4 });
    const statuses: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      const [session] = await list(`/api/stream/${id}/sessions`);
      statuses.push(session?.['recordingStatus']);
    }
    expect(statuses).toEqual(['ingested', 'remuxing', 'archiving', 'archiving']);
  },
);
