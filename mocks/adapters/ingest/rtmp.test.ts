import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { program } from '../../../tools/program.test-support.ts';
import { startEncoder } from './ffmpeg.test-support.ts';
import { incoming, serveIngest } from './served.test-support.ts';

test('ffmpeg goes live, is shown, ends, and leaves a recording that plays', async () => {
  const setup = await serveIngest();
  const { world, stream, address } = setup;
  const encoder = startEncoder(address, { seconds: 5 });
  await expect.poll(() => setup.isLive()).toBe(true);
  const facts = { videoCodec: 'H.264', width: 320, height: 180, audioCodec: 'AAC' };
  await expect
    .poll(() => incoming(setup))
    .toEqual([
      {
        streamId: stream.id,
        protocol: 'rtmp',
        ...facts,
        bitrate: expect.any(Number),
        frameRate: expect.closeTo(30, -1),
      },
    ]);
  expect(await encoder.finished).toEqual({ status: 0, said: '' });
  await expect.poll(() => setup.isLive()).toBe(false);
  expect(await incoming(setup)).toEqual([]);
  const [session] = world.sessions(stream.id);
  expect(session?.sourceSegmentsDuration).toBeCloseTo(5, -1);
  const asked = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0'];
  const { stdout } = await promisify(execFile)(program('ffprobe'), [
    ...asked,
    session?.mp4URL ?? '',
  ]);
  expect(Number(stdout)).toBeCloseTo(session?.sourceSegmentsDuration ?? 0, 1);
});

test.each(['stop', 'kill'] as const)('the session ends on a %s of its encoder', async (how) => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address);
  await expect.poll(() => setup.isLive()).toBe(true);
  encoder[how]();
  await encoder.finished;
  await expect.poll(() => setup.isLive(), { timeout: 2_000 }).toBe(false);
});

test.each([
  ['video', { videoCodec: 'H.264' }],
  ['audio', { audioCodec: 'AAC' }],
] as const)('a broadcast with nothing but %s is a session', async (kind, facts) => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address, { media: [kind] });
  await expect.poll(() => incoming(setup)).toEqual([expect.objectContaining(facts)]);
  expect(Object.keys((await incoming(setup))[0] as object)).not.toContain(
    kind === 'video' ? 'audioCodec' : 'videoCodec',
  );
  encoder.stop();
  await encoder.finished;
  expect(setup.world.sessions()).toHaveLength(1);
});

test('an encoder is disconnected when its session is stopped', async () => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address);
  await expect.poll(() => setup.isLive()).toBe(true);
  await setup.world.stop(setup.stream.id);
  expect((await encoder.finished).status).not.toBe(0);
});

test('an encoder is told why it is refused', async () => {
  const setup = await serveIngest();
  const refused = async (address: string) => (await startEncoder(address).finished).said;
  expect(await refused(setup.address.replace(setup.stream.streamKey, 'none'))).toContain(
    'Server error: stream key: expected the streamKey of one stream, which is not live, got one that no stream has',
  );
  expect(await refused(setup.address.replace('/live/', '/other/'))).toContain(
    'Server error: path: expected /live/STREAM_KEY, got "/other/',
  );
  await setup.world.start(setup.stream.id);
  expect(await refused(setup.address)).toContain(
    `Server error: stream key: expected the streamKey of one stream, which is not live, got that of stream ${setup.stream.id}, which is live`,
  );
  expect(setup.world.sessions()).toHaveLength(1);
});

test('what comes in is played to nobody', async () => {
  const setup = await serveIngest();
  startEncoder(setup.address);
  await expect.poll(() => setup.isLive()).toBe(true);
  const playing = promisify(execFile)(program('ffprobe'), ['-v', 'error', setup.address]);
  await expect(playing).rejects.toThrow();
  expect(setup.isLive()).toBe(true);
});

test('a server with encoders closes at once, and ends their sessions', async () => {
  const setup = await serveIngest();
  const encoder = startEncoder(setup.address);
  await expect.poll(() => setup.isLive()).toBe(true);
  await setup.server.close();
  expect(setup.isLive()).toBe(false);
  expect((await encoder.finished).status).not.toBe(0);
});
