import { expect, test } from 'vitest';
import { probe } from '../../media/ffmpeg.test-support.ts';
import { startEncoder } from './encoder.test-support.ts';
import { openConnection, publishing } from './rtmp-client.test-support.ts';
import { incoming, serveIngest } from './served.test-support.ts';

test('ffmpeg goes live, is shown, ends, and leaves a playable recording', async () => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address, 6);
  const shown = {
    streamId: setup.stream.id,
    protocol: 'rtmp',
    videoCodec: 'H.264',
    audioCodec: 'AAC',
    bitrate: expect.any(Number),
    frameRate: expect.any(Number),
  };
  await expect.poll(() => incoming(setup)).toEqual([shown]);
  expect(await encoder.finished).toEqual({ status: 0, complaints: '' });
  await expect.poll(() => setup.isLive()).toBe(false);
  expect(await incoming(setup)).toEqual([]);
  const [session] = setup.world.sessions();
  const length = session?.sourceSegmentsDuration ?? 0;
  expect(length).toBeCloseTo(6, -1);
  expect((await probe(session?.mp4URL ?? '')).duration).toBeCloseTo(length, 1);
});

test('nobody can play from the RTMP server, and stopping a session disconnects its encoder', async () => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address);
  await expect.poll(() => setup.isLive()).toBe(true);
  await expect(probe(setup.address)).rejects.toThrow();
  await setup.world.stop(setup.stream.id);
  expect((await encoder.finished).status).not.toBe(0);
});

test('an encoder is told why it is refused', async () => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address.replace(setup.stream.streamKey, 'none'));
  expect((await encoder.finished).complaints).toContain(
    'Server error: stream key: expected the streamKey of exactly one stream that is not live, got one that no stream has',
  );
  const refused = async (app: string) => {
    const { closed, received } = openConnection(setup.address, publishing(setup.address, app));
    await closed;
    return received().toString('latin1');
  };
  expect(await refused('other')).toContain('path: expected /live/STREAM_KEY, got another');
  await setup.world.start(setup.stream.id);
  expect(await refused('live')).toContain(`got that of stream ${setup.stream.id}, which is live`);
  expect(setup.world.sessions()).toHaveLength(1);
});
