import { expect, test } from 'vitest';
import { createMock } from '../mocks/mock.ts';
import { createOwnStream } from '../target/streams/stream-requests.ts';
import { connect, useTargets } from './target-connection.ts';

// Like an encoder, it sends the media file for longer than the session that is needed here.
const slow = { ingestCommand: { command: 'sleep 1.1', mediaFile: '/media.mp4' } };

test.each([
  {
    world: 'empty',
    source: { recordedStream: 'nope' },
    says: 'No recorded session was found: status 404. Check the option',
  },
  { world: 'demo', source: 'recorded', says: undefined },
  { world: 'empty', source: { controlUrl: 'http://mock.test/_mock' }, says: undefined },
  { world: 'empty', source: slow, says: undefined },
] as const)('the provider $source is tried before it is needed', async (row) => {
  const mock = createMock({ world: row.world });
  const recorded = (await mock.world()).sessions().find(({ record }) => record);
  const { tryProvider } = connect({
    baseUrl: `http://mock.test${mock.prefix}`,
    apiKey: mock.apiKey,
    send: mock.fetch,
    patience: 1,
    provider: row.source === 'recorded' ? { recordedStream: recorded?.parentId ?? '' } : row.source,
  });
  expect(await tryProvider()).toEqual(row.says && expect.stringContaining(row.says));
});

test('a stream that a request deleted is not left behind, however the path was spelled', async () => {
  const { apiKey, prefix, fetch: send } = createMock();
  const options = { baseUrl: `http://mock.test${prefix}`, apiKey, send };
  const connection = connect(options);
  const call = connection.createCaller(() => {});
  const leftBehind = await useTargets([connection], options, async () => {
    const { id } = await createOwnStream(call);
    await call({ method: 'DELETE', path: `/stream/${id}/` });
  });
  expect(leftBehind).toEqual([]);
});

test('a pause ends when the run is to end', async () => {
  const stop = new AbortController();
  const options = { baseUrl: 'http://mock.test', apiKey: 'a-key', signal: stop.signal };
  const paused = connect(options).pause(3_600_000);
  stop.abort();
  await expect(paused).resolves.toBeUndefined();
});
