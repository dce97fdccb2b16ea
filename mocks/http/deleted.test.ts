import { expect, test } from 'vitest';
import { recommendedProfiles } from '../../interface/ladder.ts';
import { createMock } from '../mock.ts';
import { readErrors, testKey, testRequest } from './request.test-support.ts';

const profiles = [...recommendedProfiles];
const { fetch, world } = createMock({ recordingDelay: 0 });
const own = await world(testKey);

/** A stream with a recording, and a session that is live or has ended. */
async function makeStream(live: boolean): Promise<string[]> {
  const { id, playbackId } = await own.createStream({ name: 'a', profiles, record: true });
  const recorded = await own.start(id, { duration: 5 });
  const latest = await own.start(id, live ? {} : { duration: 5 });
  return [id, playbackId, recorded.id, latest.id];
}

const [liveStream = '', livePlayback = '', liveRecorded = '', live = ''] = await makeStream(true);
const [stream = '', playback = '', recorded = '', latest = ''] = await makeStream(false);
const [keptStream = '', keptPlayback = '', keptRecorded = '', kept = ''] = await makeStream(true);

/** Everything that answers as long as a stream is there. */
function addresses(
  streamId: string,
  playbackId: string,
  recordedId: string,
  latestId: string,
): string[] {
  return [
    `GET /api/stream/${streamId}`,
    `HEAD /api/stream/${streamId}`,
    `GET /api/stream/${streamId}/sessions`,
    `GET /api/stream/${streamId}/sessions?record=1`,
    ...[recordedId, latestId].flatMap((id) => [`GET /api/stream/${id}`, `GET /api/session/${id}`]),
    ...['index.m3u8', 'source/index.m3u8', '0/index.m3u8'].flatMap((file) => [
      `GET /hls/${playbackId}/${file}`,
      `GET /recordings/${recordedId}/${file}`,
    ]),
    `GET /hls/${playbackId}/source/${latestId}/init.mp4`,
    `GET /hls/${playbackId}/2/${latestId}/00000000.m4s`,
    `GET /recordings/${recordedId}/source/init.mp4`,
    `GET /recordings/${recordedId}/2/00000001.m4s`,
    `GET /recordings/${recordedId}/source.mp4`,
  ];
}

async function statusesOf(lines: readonly string[]): Promise<string[]> {
  const answers = lines.map(async (line) => `${line}: ${(await fetch(testRequest(line))).status}`);
  return Promise.all(answers);
}

async function idsAt(path: string): Promise<string[]> {
  const response = await fetch(testRequest(`GET ${path}`));
  return ((await response.json()) as { id: string }[]).map(({ id }) => id);
}

test.each([
  { stream: 'that is live', ids: [liveStream, livePlayback, liveRecorded, live] as const },
  { stream: 'that has ended', ids: [stream, playback, recorded, latest] as const },
])('a deleted stream $stream is unknown everywhere, and so are its sessions', async ({ ids }) => {
  const lines = addresses(...ids);
  expect(await statusesOf(lines)).toEqual(lines.map((line) => `${line}: 200`));
  const [id, , ...sessions] = ids;
  expect((await fetch(testRequest(`DELETE /api/stream/${id}`))).status).toBe(204);

  expect(await statusesOf(lines)).toEqual(lines.map((line) => `${line}: 404`));
  for (const gone of [id, ...sessions]) {
    for (const [line, body] of [
      [`PATCH /api/stream/${gone}/record`, '{"record":true}'],
      [`PATCH /api/stream/${gone}/record`, '{"record":false}'],
      [`DELETE /api/stream/${gone}`],
      [`POST /_mock/streams/${gone}/start`],
      [`POST /_mock/streams/${gone}/start`, '{"duration":5}'],
      [`POST /_mock/streams/${gone}/stop`],
    ] as const) {
      const response = await fetch(testRequest(line, body === undefined ? {} : { body }));
      expect([line, response.status]).toEqual([line, 404]);
      expect((await readErrors(response))[0]).toContain('expected a stream of this API key');
    }
  }
  expect(await idsAt('/api/stream')).not.toContain(id);
  expect(await idsAt(`/api/session?parentId=${id}`)).toEqual([]);
  const listed = await idsAt('/api/session');
  expect(listed.filter((session) => sessions.includes(session))).toEqual([]);
  expect(JSON.stringify(own.exportState())).not.toContain(id);
});

test('deleting a stream leaves all others as they were', async () => {
  const lines = addresses(keptStream, keptPlayback, keptRecorded, kept);
  const doomed = await makeStream(true);
  const read = () =>
    Promise.all(lines.map(async (line) => (await fetch(testRequest(line))).arrayBuffer()));
  const before = await read();
  expect((await fetch(testRequest(`DELETE /api/stream/${doomed[0]}`))).status).toBe(204);
  expect(await read()).toEqual(before);
});
