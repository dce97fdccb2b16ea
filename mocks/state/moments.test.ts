import { expect, test } from 'vitest';
import { testKey, testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';

const start = Date.UTC(2026, 0, 1);

test('the control API lists when recording was switched and the clock moved on', async () => {
  const mock = createMock();
  const world = await mock.world(testKey);
  const moments = async () => (await mock.fetch(testRequest('GET /_mock/moments'))).json();
  const { id: streamId } = await world.createStream({ name: 'Harbour camera' });
  world.clock.advance('10m');
  await world.setRecord(streamId, true);
  await world.setRecord(streamId, true);
  expect(await moments()).toEqual([
    { kind: 'clock', at: start, to: start + 600_000 },
    { kind: 'recording', at: start + 600_000, streamId, record: true },
  ]);
  await mock.fetch(testRequest('POST /_mock/clock', { body: '{"speed":60}' }));
  expect(await moments()).toHaveLength(2);
  await world.reset();
  expect(await moments()).toEqual([]);
});
