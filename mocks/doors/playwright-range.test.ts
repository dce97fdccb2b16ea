import { expect, test } from 'vitest';
import { openPlaywright } from './open-browser.test-support.ts';
import { findPlaces } from './script.test-support.ts';
import { mockOptions, type Setting } from './setting.test-support.ts';

const setting: Setting = { world: 'demo', seed: 'range', recordingDelay: 0, clock: 'still' };

test.each([
  ['bytes=0-', 0],
  ['bytes=100000000-', 100_000_000],
])('of %s, an MP4 of ten hours sends the first 4 MiB', async (range, first) => {
  const { origin, send } = await openPlaywright(setting);
  const session = (await findPlaces(mockOptions(setting))).get('session');
  const url = `${origin}/recordings/${session}/source.mp4`;
  const answer = await send(new Request(url, { headers: { range } }));
  expect(answer.status).toBe(206);
  expect(answer.headers.get('content-length')).toBe('4194304');
  expect(answer.headers.get('content-range')).toMatch(
    new RegExp(`^bytes ${first}-${first + 4_194_303}/\\d+$`),
  );
  expect((await answer.arrayBuffer()).byteLength).toBe(4_194_304);
});
