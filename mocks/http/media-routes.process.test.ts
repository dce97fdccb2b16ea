import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { temporaryFile } from '../../tools/temporary.test-support.ts';
import { probe } from '../media/ffmpeg.test-support.ts';
import {
  addressesIn,
  openMediaWorld,
  readMedia,
  readMultivariant,
  record,
  sumOfSegments,
} from './media.test-support.ts';
import { readErrors } from './request.test-support.ts';

test('each rendition has the size, codecs and length that its playlists state', async () => {
  const { world, get } = await openMediaWorld();
  const { playlistUrl, session } = await record(world, 10.5);
  const { variants } = await readMultivariant(await get(playlistUrl));
  for (const { uri, resolution, codecs } of variants) {
    const renditionUrl = new URL(uri, playlistUrl).href;
    const playlist = await readMedia(await get(renditionUrl));
    const pieces = await Promise.all(
      addressesIn(playlist, renditionUrl).map(async (address) => {
        const answer = await get(address);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'video/mp4']);
        return Buffer.from(await answer.arrayBuffer());
      }),
    );
    const file = temporaryFile('rendition.mp4');
    await writeFile(file, Buffer.concat(pieces));
    const { video } = await probe(file);
    expect({ width: video.width, height: video.height }).toEqual(resolution);
    expect(codecs).toBe(`avc1.6400${video.level.toString(16)},mp4a.40.2`);
    expect(video.times).toHaveLength(315);
    expect(sumOfSegments(playlist)).toBeCloseTo(session.sourceSegmentsDuration, 5);
  }
});

describe('if there is nothing to play, the response is 404 and says why', () => {
  const unknown = '00000000-0000-4000-8000-000000000000';

  async function refusal(answer: Promise<Response>): Promise<readonly string[]> {
    expect((await answer).status).toBe(404);
    return readErrors(await answer);
  }

  test('while a recording waits', async () => {
    const { world, get } = await openMediaWorld();
    const address = (id: string, file: string) => `http://a.test/recordings/${id}/${file}`;
    const recorded = await world.createStream({ name: 'recorded', record: true });
    const waiting = await world.start(recorded.id);
    for (const file of ['index.m3u8', 'source.mp4', 'source/index.m3u8', 'source/init.mp4']) {
      expect(await refusal(get(address(waiting.id, file)))).toEqual([
        `recording: expected a session whose recordingStatus is ready, got "waiting" for session ${waiting.id}`,
      ]);
    }
  });

  test('for a session, a rendition or a segment that does not exist', async () => {
    const { world, get } = await openMediaWorld();
    const { playlistUrl } = await record(world, 5);
    const ask = (path: string) => refusal(get(new URL(path, playlistUrl).href));
    expect(await ask(`/recordings/${unknown}/source.mp4`)).toEqual([
      `path: expected media of a session that this mock knows, got "/recordings/${unknown}/source.mp4"`,
    ]);
    for (const rendition of ['3', '-1', '720p']) {
      expect(await ask(`${rendition}/index.m3u8`)).toEqual([
        `path: expected the rendition source, or the place of one of 3 profiles, got "${rendition}"`,
      ]);
    }
    for (const file of ['00000002.m4s', '1.m4s', '00000001.ts', 'x']) {
      expect(await ask(`source/${file}`)).toEqual([
        `path: expected init.mp4 or a segment that the playlist names, got "${file}"`,
      ]);
    }
  });
});
