import { expect, test } from 'vitest';
import { clientOf } from './dialect.test-support.ts';

test('the value of a dropped field is never wrong', async () => {
  const dropped = {
    'field:record:given': 'dropped',
    'field:profiles[].gop:given': 'dropped',
  } as const;
  const { send } = await clientOf({ refusals: { '*': { '*': 412 }, createStream: dropped } });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
  const profiles = [{ ...profile, gop: null }];
  const { status, json } = await send('POST /api/stream', { name: 'a', record: 'yes', profiles });
  expect([status, json]).toMatchObject([201, { record: false, profiles: [profile] }]);
});

test.each([
  ['first', 1],
  ['all', 2],
] as const)('of several errors the orders tell %s', async (told, errors) => {
  const { send } = await clientOf({ orders: { told } });
  const { json } = await send('POST /api/stream', { name: 5, record: 5 });
  expect(json['errors']).toHaveLength(errors);
});
