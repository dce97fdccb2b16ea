import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/recommended-profiles.ts';
import { createMock } from '../mock.ts';
import { readErrors, testKey, testRequest } from './request.test-support.ts';

const { fetch, world } = createMock({ recordingDelay: 0 });
const own = await world(testKey);

/** A stream with a recording, and with a session that is live or has ended: its ids, and everything to request. */
async function makeStream(isLive: boolean) {
  const profiles = [...recommendedProfiles];
  const { id, playbackId } = await own.createStream({ name: 'a', profiles, record: true });
  const recorded = await own.start(id, { duration: 5 });
  const latest = await own.start(id, isLive ? {} : { duration: 5 });
  const sessions = [recorded.id, latest.id];
  const addresses = [
    `GET /api/stream/${id}`,
    `GET /api/stream/${id}/sessions?record=1`,
    ...sessions.flatMap((session) => [`GET /api/stream/${session}`, `GET /api/session/${session}`]),
    `GET /hls/${playbackId}/index.m3u8`,
    `GET /hls/${playbackId}/2/${latest.id}/00000000.m4s`,
    `GET /recordings/${recorded.id}/0/index.m3u8`,
    `GET /recordings/${recorded.id}/2/00000001.m4s`,
    `GET /recordings/${recorded.id}/source.mp4`,
  ];
  return { id, sessions, addresses };
}

async function answersOf(lines: readonly string[]): Promise<(readonly [string, number, string])[]> {
  return Promise.all(
    lines.map(async (line) => {
      const response = await fetch(testRequest(line));
      return [line, response.status, await response.text()] as const;
    }),
  );
}

test.each([true, false])(
  'a deleted stream is unknown everywhere, and so are its sessions; live: %s',
  async (isLive) => {
    const { id, sessions, addresses } = await makeStream(isLive);
    const others = (await makeStream(true)).addresses;
    const before = await answersOf(others);
    for (const [line, status] of await answersOf(addresses))
      expect([line, status]).toEqual([line, 200]);
    expect((await fetch(testRequest(`DELETE /api/stream/${id}`))).status).toBe(204);

    for (const [line, status] of await answersOf(addresses))
      expect([line, status]).toEqual([line, 404]);
    for (const gone of [id, ...sessions]) {
      for (const [line, body] of [
        [`PATCH /api/stream/${gone}/record`, '{"record":true}'],
        [`DELETE /api/stream/${gone}`, ''],
        [`POST /_mock/streams/${gone}/start`, ''],
        [`POST /_mock/streams/${gone}/stop`, ''],
      ] as const) {
        const response = await fetch(testRequest(line, body === '' ? {} : { body }));
        expect([line, response.status]).toEqual([line, 404]);
        expect((await readErrors(response))[0]).toContain('expected a stream of this API key');
      }
    }
    expect(JSON.stringify(own.exportState())).not.toContain(id);
    expect(await answersOf(others)).toEqual(before);
  },
);
