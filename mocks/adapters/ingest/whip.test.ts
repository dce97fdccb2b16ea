import { expect, test } from 'vitest';
import { openCamera, serveIngest } from './served.test-support.ts';

/** A served mock, and a function that sends requests to the path of a stream key or another path. */
async function setUp() {
  const served = await serveIngest();
  const send = (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = { 'content-type': 'application/sdp' },
  ): Promise<Response> =>
    fetch(`${served.server.ingest.whip}/${path}`, { method, body: body ?? null, headers });
  return { ...served, send };
}

test('an offer is answered, and the stream is live until the session is deleted', async () => {
  const { world, stream, isLive, send } = await setUp();
  const response = await send('POST', stream.streamKey, (await openCamera()).offer);
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toBe('application/sdp');
  const answer = await response.text();
  expect(answer.match(/^a=candidate:.* (\S+) \d+ typ host/m)?.[1]).toBe('127.0.0.1');
  expect(answer).not.toMatch(/^a=candidate:(?!.* 127\.0\.0\.1 )/m);
  const [session] = world.sessions();
  const location = response.headers.get('location');
  expect(location).toBe(`/webrtc/${stream.streamKey}/${session?.id}`);
  expect(isLive()).toBe(true);
  expect((await send('DELETE', `another-key/${session?.id}`)).status).toBe(404);
  expect(isLive()).toBe(true);
  const path = location?.replace('/webrtc/', '') ?? '';
  expect((await send('DELETE', path)).status).toBe(200);
  expect(isLive()).toBe(false);
});

test.each([
  ['HEAD', 'KEY', 200],
  ['GET', 'KEY', 405, 'HEAD, POST'],
  ['PATCH', 'KEY/session', 405, 'DELETE'],
  ['DELETE', 'KEY/session', 404, null, 'ingest: expected a session that was begun with this'],
  ['POST', '', 404, null, 'path: expected /webrtc/STREAM_KEY, got /webrtc/'],
])('%s /webrtc/%s gets %d', async (method, path, status, allow = null, text = '') => {
  const { stream, send } = await setUp();
  const response = await send(method, path.replace('KEY', stream.streamKey));
  expect(response.status).toBe(status);
  expect(response.headers.get('allow')).toBe(allow);
  expect(await response.text()).toContain(text);
});

test('pages of other origins may use WHIP, and read the location of their session', async () => {
  const { stream, send } = await setUp();
  const origin = 'http://app.test';
  const asked = { origin, 'access-control-request-method': 'POST' };
  const preflight = await send('OPTIONS', stream.streamKey, undefined, asked);
  expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
  expect(preflight.headers.get('access-control-allow-credentials')).toBe('true');
  const headers = { origin, 'content-type': 'application/sdp' };
  const response = await send('POST', stream.streamKey, (await openCamera()).offer, headers);
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  expect(response.headers.get('access-control-expose-headers')).toContain('location');
});

const manySections = `v=0\r\n${'m=video 9 UDP/TLS/RTP/SAVPF 96\r\n'.repeat(2_000)}`;

test.each([
  ['JSON', 415, '{}', { 'content-type': 'application/json' }],
  ['garbage', 400, '\u0000\u0001garbage', undefined],
  ['2,000 tracks', 400, manySections, undefined],
  ['data', 400, 'v=0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n', undefined],
  ['100 KB', 413, 'a'.repeat(100_000), undefined],
])('an offer that is %s is refused with %d', async (_, status, body, headers) => {
  const { world, stream, send } = await setUp();
  const response = await send('POST', stream.streamKey, body, headers);
  expect(response.status).toBe(status);
  expect((await response.json()).errors).toEqual([expect.stringMatching(/expected .+, got /)]);
  expect(world.sessions()).toEqual([]);
});
