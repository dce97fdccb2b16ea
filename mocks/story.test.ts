import { parse, type types } from 'hls-parser';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { recommendedProfiles } from '../interface/ladder.ts';
import { sessionSchema, streamSchema } from '../interface/schemas.ts';
import type { Session, Stream } from '../interface/types.ts';
import { type Serving, startServing } from '../tools/command-line.test-support.ts';

let server: Serving;

test('a stream is created, recorded, watched, and then no longer recorded', async () => {
  server = await startServing('--world', 'empty', '--recording-delay', '300ms');
  const stream = await createStream();
  await setRecord(stream.id, true);

  const live = await goLive(stream.id);
  expect(live).toMatchObject({ isActive: true, record: true, recordingStatus: 'waiting' });
  await control('/clock', { advance: '21s' });
  const ended = await stop(stream.id);
  expect(ended).toMatchObject({ id: live.id, isActive: false, recordingStatus: 'waiting' });

  await expect
    .poll(async () => (await listRecorded(stream.id))[0]?.recordingStatus, { timeout: 5_000 })
    .toBe('ready');
  const [recorded, ...others] = await listRecorded(stream.id);
  expect(others).toEqual([]);
  expect(recorded?.id).toBe(live.id);
  if (recorded?.recordingUrl === undefined || recorded.mp4URL === undefined) {
    throw new Error('a ready session has both addresses');
  }
  expect(recorded.sourceSegmentsDuration).toBeGreaterThanOrEqual(21);

  const durations = await watchEveryRendition(recorded.recordingUrl);
  expect(durations).toHaveLength(4);
  for (const duration of durations)
    expect(duration).toBeCloseTo(recorded.sourceSegmentsDuration, 5);
  await downloadMp4(recorded.mp4URL);

  await setRecord(stream.id, false);
  const unrecorded = await goLive(stream.id);
  await stop(stream.id);
  expect((await listRecorded(stream.id)).map(({ id }) => id)).toEqual([live.id]);
  const all = await request('GET', `/stream/${stream.id}/sessions`);
  expect((await all.json()).map(({ id }: Session) => id)).toEqual([unrecorded.id, live.id]);
});

async function createStream(): Promise<Stream> {
  const profiles = recommendedProfiles;
  const response = await request('POST', '/stream', { name: 'Harbour camera', profiles });
  expect(response.status).toBe(201);
  const stream = streamSchema.parse(await response.json());
  expect(stream).toMatchObject({ name: 'Harbour camera', profiles });
  return stream;
}

async function setRecord(id: string, record: boolean): Promise<void> {
  const response = await request('PATCH', `/stream/${id}/record`, { record });
  expect(response.status).toBe(204);
  expect(await response.text()).toBe('');
}

async function goLive(id: string): Promise<Session> {
  const response = await control(`/streams/${id}/start`);
  expect(response.status).toBe(201);
  return sessionSchema.parse(await response.json());
}

async function stop(id: string): Promise<Session> {
  const response = await control(`/streams/${id}/stop`);
  expect(response.status).toBe(200);
  return sessionSchema.parse(await response.json());
}

async function listRecorded(id: string): Promise<Session[]> {
  const response = await request('GET', `/stream/${id}/sessions?record=1`);
  expect(response.status).toBe(200);
  return z.array(sessionSchema).parse(await response.json());
}

/** Fetches every segment of every rendition; returns the renditions' durations in seconds. */
async function watchEveryRendition(recordingUrl: string): Promise<number[]> {
  const top = (await fetchPlaylist(recordingUrl)) as types.MasterPlaylist;
  expect(top.isMasterPlaylist).toBe(true);
  return Promise.all(
    top.variants.map(async ({ uri }) => {
      const url = new URL(uri, recordingUrl).href;
      const { segments } = (await fetchPlaylist(url)) as types.MediaPlaylist;
      for (const segment of segments) {
        const response = await fetch(new URL(segment.uri, url));
        expect(response.status).toBe(200);
        expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
      }
      return segments.reduce((sum, { duration }) => sum + duration, 0);
    }),
  );
}

async function fetchPlaylist(url: string): Promise<types.Playlist> {
  const response = await fetch(url);
  expect(response.headers.get('content-type')).toBe('application/vnd.apple.mpegurl');
  return parse(await response.text());
}

async function downloadMp4(url: string): Promise<void> {
  const whole = await fetch(url);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  const bytes = new Uint8Array(await whole.arrayBuffer());
  const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
  expect(part.status).toBe(206);
  expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(1000, 2000));
}

function control(path: string, body?: object): Promise<Response> {
  return send('POST', server.controlUrl + path, body);
}

function request(method: string, path: string, body?: object): Promise<Response> {
  return send(method, server.baseUrl + path, body);
}

function send(method: string, url: string, body?: object): Promise<Response> {
  return fetch(url, {
    method,
    headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}
