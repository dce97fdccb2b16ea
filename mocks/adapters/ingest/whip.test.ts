import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import { serve } from '../node/node.ts';
import { createBroadcasts } from './broadcasts.ts';
import { openCamera, serveIngest } from './served.test-support.ts';
import { createWhip } from './whip.ts';

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

test.each(['', '/'])(
  'once the connection of an offer to KEY%s is up, the stream is live until the session is deleted',
  async (slash) => {
    const { world, stream, isLive, send } = await setUp();
    const { offer, accept } = await openCamera();
    const response = await send('POST', stream.streamKey + slash, offer);
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/sdp');
    const answer = await response.text();
    expect(answer.match(/^a=candidate:.* (\S+) \d+ typ host/m)?.[1]).toBe('127.0.0.1');
    expect(answer).not.toMatch(/^a=candidate:(?!.* 127\.0\.0\.1 )/m);
    const location = response.headers.get('location') ?? '';
    const [, ownId] = new RegExp(`^/webrtc/${stream.streamKey}/([\\w-]+)$`).exec(location) ?? [];
    expect(isLive()).toBe(false);
    await accept(answer);
    await expect.poll(isLive).toBe(true);
    expect((await send('DELETE', `another-key/${ownId}`)).status).toBe(404);
    expect(isLive()).toBe(true);
    expect((await send('DELETE', `${stream.streamKey}/${ownId}${slash}`)).status).toBe(200);
    expect(isLive()).toBe(false);
    expect(world.sessions()).toHaveLength(1);
  },
);

test('an offer whose connection never comes leaves no session, and the reason is told', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reasons: string[] = [];
  const mock = createMock();
  const broadcasts = createBroadcasts(mock, (_, reason) => reasons.push(reason));
  const whip = createWhip(broadcasts, '127.0.0.1');
  const world = await mock.world();
  const { streamKey } = await world.createStream({ name: 'a', record: true });
  const { offer } = await openCamera();
  const headers = { 'content-type': 'application/sdp' };
  const url = `http://a.test/webrtc/${streamKey}`;
  const response = await whip(new Request(url, { method: 'POST', headers, body: offer }));
  expect(response.status).toBe(201);
  vi.advanceTimersByTime(5_000);
  expect(reasons).toEqual([
    'connection: expected one to 127.0.0.1 within 5 s, got none; Firefox does not connect to the loopback address: --whip-host 0.0.0.0 (in code, whipHost) receives on every address',
  ]);
  expect(world.sessions()).toEqual([]);
});

test('an offer of several encodings is answered as one of a single encoding', async () => {
  const { stream, send } = await setUp();
  const { offer } = await openCamera();
  const several = offer.replace(
    /(m=video.*?)(?=m=audio)/s,
    '$1a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id\r\na=rid:h send\r\na=rid:l send\r\na=simulcast:send h;l\r\n',
  );
  const response = await send('POST', stream.streamKey, several);
  expect(response.status).toBe(201);
  expect(await response.text()).not.toMatch(/rid|simulcast|rtp-stream-id/);
});

test.each([
  ['example.com', 'an address of this machine, or 0.0.0.0 for all of them, got "example.com"'],
  ['8.8.8.8', 'an address of this machine, or 0.0.0.0 for all of them, got "8.8.8.8"'],
])('media cannot be received on %s', async (whipHost, reason) => {
  await expect(serve(createMock(), { whip: true, whipHost })).rejects.toThrow(
    `whipHost: expected ${reason}`,
  );
});

test('an offer with an endless number is refused in little time', async () => {
  const { stream, send } = await setUp();
  const offer = `v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=extmap:${'1'.repeat(64_000)}\r\n`;
  const start = performance.now();
  expect((await send('POST', stream.streamKey, offer)).status).toBe(400);
  expect(performance.now() - start).toBeLessThan(1_500);
});

test('media may be received beyond loopback, where the interface is not', async () => {
  const mock = createMock();
  const server = await serve(mock, { whip: true, whipHost: '0.0.0.0' });
  onTestFinished(() => server.close());
  const { streamKey } = await (await mock.world()).createStream({ name: 'a' });
  const response = await fetch(`${server.ingest.whip}/${streamKey}`, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: (await openCamera()).offer,
  });
  expect(server.host).toBe('127.0.0.1');
  const addresses = Object.values(networkInterfaces()).flatMap((found = []) => found);
  const others = addresses.filter(({ family, internal }) => family === 'IPv4' && !internal);
  const answer = await response.text();
  for (const { address } of others) expect(answer).toContain(` ${address} `);
});

test.each([
  ['HEAD', 'KEY', 200],
  ['GET', 'KEY', 405, 'HEAD, POST'],
  ['PATCH', 'KEY/session', 405, 'DELETE'],
  ['DELETE', 'KEY/session', 404, null, 'ingest: expected a session that was begun with this'],
  ['POST', '', 404, null, 'path: expected /webrtc/STREAM_KEY, got \\"/webrtc/\\"'],
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

const onlyHevc = [
  'v=0',
  'o=- 1 1 IN IP4 0.0.0.0',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'm=video 9 UDP/TLS/RTP/SAVPF 96',
  'c=IN IP4 0.0.0.0',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  'a=setup:actpass',
  'a=mid:0',
  'a=sendonly',
  'a=rtcp-mux',
  'a=rtpmap:96 H265/90000',
  '',
].join('\r\n');

test.each([
  ['JSON', 415, '{}', { 'content-type': 'application/json' }],
  ['garbage', 400, '\u0000\u0001garbage', undefined],
  ['2,000 tracks', 400, manySections, undefined],
  ['data', 400, 'v=0\r\nm=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n', undefined],
  ['HEVC alone', 400, onlyHevc, undefined],
  ['100 KB', 413, 'a'.repeat(100_000), undefined],
])('an offer that is %s is refused with %d', async (_, status, body, headers) => {
  const { world, stream, send } = await setUp();
  const response = await send('POST', stream.streamKey, body, headers);
  expect(response.status).toBe(status);
  expect((await response.json()).errors).toEqual([expect.stringMatching(/expected .+, got /)]);
  expect(world.sessions()).toEqual([]);
});
