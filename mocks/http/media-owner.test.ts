import { expect, test } from 'vitest';
import { createMock, type Mock } from '../mock.ts';
import type { World } from '../service/testers/world-handle.ts';
import { memoryStore } from '../stores/memory-store.test-support.ts';
import { readMultivariant } from './media.test-support.ts';
import { testRequest } from './request.test-support.ts';

/** A mock in which a world was recorded under the first key, and its report imported under the second. */
async function importTwice(mock: Mock = createMock({ recordingDelay: 0 })) {
  const first = await mock.world('test-first');
  const { id, playbackId } = await first.createStream({ name: 'recorded', record: true });
  await first.start(id, { duration: 10 });
  await recordingUrlOf(mock, 'test-first');
  const second = await mock.world('test-second');
  await second.importState(first.exportState());
  return { mock, first, second, playbackId };
}

/** The address of the recording, as a client with the key of a world reads it. */
async function recordingUrlOf(mock: Mock, key: string): Promise<string> {
  const request = testRequest('GET /api/session', { headers: { authorization: `Bearer ${key}` } });
  const [session] = await (await mock.fetch(request)).json();
  return session.recordingUrl;
}

function mediaIn(world: World): number {
  return world.requests().filter(({ request }) => request.url.includes('/recordings/')).length;
}

test('media of a report that was imported under another key belongs to the world that showed its address', async () => {
  const { mock, first, second } = await importTwice();
  second.addFault({ effect: 'status', status: 503, operation: 'recordingPlaylist' });
  const [ofFirst, ofSecond] = [
    await recordingUrlOf(mock, 'test-first'),
    await recordingUrlOf(mock, 'test-second'),
  ];
  expect(ofSecond).not.toBe(ofFirst);
  expect((await mock.fetch(new Request(ofFirst))).status).toBe(200);
  expect((await mock.fetch(new Request(ofSecond))).status).toBe(503);
  expect([mediaIn(first), mediaIn(second)]).toEqual([1, 1]);
});

test('everything that a playlist of an imported report names belongs to the same world', async () => {
  const { mock, first, second } = await importTwice();
  const address = await recordingUrlOf(mock, 'test-second');
  const names = (await (await mock.fetch(new Request(address))).text()).match(/^[^#\n]+$/gm) ?? [];
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    expect((await mock.fetch(new Request(new URL(name, address)))).status).toBe(200);
  }
  expect([mediaIn(first), mediaIn(second)]).toEqual([0, names.length + 1]);
});

test('addresses in a report play wherever it is imported', async () => {
  const { mock, second } = await importTwice();
  const addresses = [
    await recordingUrlOf(mock, 'test-first'),
    await recordingUrlOf(mock, 'test-second'),
  ];
  const elsewhere = createMock({ recordingDelay: 0, world: second.exportState() });
  await elsewhere.world('test-third');
  for (const address of addresses) {
    expect((await elsewhere.fetch(new Request(address))).status).toBe(200);
  }
});

test('addresses of imported reports belong to the same worlds after a restart, whichever opens first', async () => {
  const store = memoryStore();
  const { first } = await importTwice();
  const imported = ['test-second', 'test-third'];
  const mock = createMock({ recordingDelay: 0, store });
  for (const key of imported) await (await mock.world(key)).importState(first.exportState());
  const addresses = await Promise.all(imported.map((key) => recordingUrlOf(mock, key)));
  const restarted = createMock({ recordingDelay: 0, store });
  for (const key of imported.toReversed()) await restarted.world(key);
  expect(await Promise.all(imported.map((key) => recordingUrlOf(restarted, key)))).toEqual(
    addresses,
  );
});

test('keys that begin with the same exported state show addresses of their own', async () => {
  const { first } = await importTwice();
  const mock = createMock({ recordingDelay: 0, world: first.exportState() });
  const [one, two] = [
    await recordingUrlOf(mock, 'test-one'),
    await recordingUrlOf(mock, 'test-two'),
  ];
  expect(one).not.toBe(two);
  await mock.fetch(new Request(two));
  expect([mediaIn(await mock.world('test-one')), mediaIn(await mock.world('test-two'))]).toEqual([
    0, 1,
  ]);
});

test('a live playlist of an imported report belongs to the world that showed its address', async () => {
  const { mock, second, playbackId } = await importTwice();
  const [stream] = second.streams();
  await second.start(stream?.id ?? '');
  second.clock.advance('10s');
  const headers = { authorization: 'Bearer test-second' };
  const { meta } = await (
    await mock.fetch(testRequest(`GET /api/playback/${playbackId}`, { headers }))
  ).json();
  const all: string = meta.source[0].url;
  const { variants } = await readMultivariant(await mock.fetch(new Request(all)));
  const address = new URL(variants[0]?.uri ?? '', all);
  const playlist = await (await mock.fetch(new Request(address))).text();
  expect(playlist).not.toContain('#EXT-X-ENDLIST');
  const [segment = ''] = playlist.match(/^[^#\n]+\.m4s$/m) ?? [];
  expect((await mock.fetch(new Request(new URL(segment, address)))).status).toBe(200);
  const found = second.requests().map(({ operation }) => operation);
  expect(found).toEqual(['retrievePlayback', 'livePlaylist', 'liveRendition', 'liveSegment']);
});
