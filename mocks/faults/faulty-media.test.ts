import { expect, test } from 'vitest';
import { createMock } from '../mock.ts';
import type { Fault } from './fault.ts';

/** A recording of 20 s in a mock with a fault; the function returned requests one of its files. */
async function openRecording(fault: Fault): Promise<(file?: string) => Promise<Response>> {
  const mock = createMock({ recordingDelay: 0, faults: [fault] });
  const world = await mock.world();
  const { id } = await world.createStream({ name: 'recorded', record: true });
  const { recordingUrl = '' } = await world.start(id, { duration: 20 });
  return (file = '') => mock.fetch(new Request(new URL(file, recordingUrl)));
}

test('segment-missing removes one segment and leaves the others', async () => {
  const request = await openRecording({ effect: 'segment-missing', segment: 1 });
  const playlist = await (await request()).text();
  const names = playlist.match(/^\S+\.m4s$|(?<=URI=")[^"]+/gm) ?? [];
  const responses = await Promise.all(names.map((name) => request(name)));
  const missing = names.filter((_, index) => responses[index]?.status === 404);
  expect(missing).toEqual(['source/00000001.m4s']);
  expect(names).toHaveLength(8);
});

test('playlist-endless leaves out the end', async () => {
  const request = await openRecording({ effect: 'playlist-endless' });
  const response = await request();
  const text = await response.text();
  expect(text).toMatch(/^#EXTM3U\n.*\.m4s\n$/s);
  expect(text).not.toContain('#EXT-X-ENDLIST');
  expect(response.headers.get('content-length')).toBe(String(text.length));
});
