import { describe, expect, test } from 'vitest';
import type { RowId } from '../../interface/silent.ts';
import type { ChangeBehaviours } from '../../interface/silent-changes.ts';
import type { RefusalBody } from '../../interface/silent-row.ts';
import { mockWith, refusalOf, type Show, sendTo, testRows } from './dialect.test-support.ts';
import {
  body,
  calm,
  foreignLive,
  foreignPlayback,
  foreignSession,
  live,
  playback,
  session,
  withProfiles,
} from './errors.test-support.ts';
import { type RequestParts, testKey } from './request.test-support.ts';

type RefusalRow = Exclude<Extract<RowId, `refusal.${string}`>, 'refusal.body'>;

/** Asks by one request; `otherwise` is the value where it is not refused. */
function by(line: string, parts: RequestParts = {}, otherwise?: string): Show {
  return async (send) => refusalOf(await send(line, parts), otherwise);
}

/** The same after a stream was deleted. */
function afterDeletion(line: string, parts: RequestParts = {}, otherwise?: string): Show {
  return async (send) => {
    await send(`DELETE /api/stream/${calm}`);
    return refusalOf(await send(line, parts), otherwise);
  };
}

/** The same where another key has a world of its own. */
function besidesAnother(line: string, parts: RequestParts = {}, otherwise?: string): Show {
  return async (send, mock) => {
    await mock.world('test-other');
    return refusalOf(await send(line, parts), otherwise);
  };
}

const unknown = '01234567-89ab-4cde-8f01-23456789abcd';
const on = body({ record: true });
const renamed = body({ name: 'b' });

testRows({
  'refusal.malformed-json.createStream': by('POST /api/stream', { body: '{' }),
  'refusal.malformed-json.setRecord': by(`PATCH /api/stream/${calm}/record`, { body: '{' }),
  'refusal.malformed-json.updateStream': by(`PATCH /api/stream/${calm}`, { body: '{' }),
  'refusal.no-body.createStream': by('POST /api/stream'),
  'refusal.no-body.setRecord': by(`PATCH /api/stream/${calm}/record`),
  'refusal.no-body.updateStream': by(`PATCH /api/stream/${calm}`),
  'refusal.not-object.createStream': by('POST /api/stream', body([])),
  'refusal.not-object.setRecord': by(`PATCH /api/stream/${calm}/record`, body([])),
  'refusal.not-object.updateStream': by(`PATCH /api/stream/${calm}`, body([])),
  'refusal.missing-name': by('POST /api/stream', body({})),
  'refusal.missing-record': by(`PATCH /api/stream/${calm}/record`, body({})),
  'refusal.missing-profile-field': by('POST /api/stream', withProfiles({ width: undefined })),
  'refusal.wrong-name': by('POST /api/stream', body({ name: 1 })),
  'refusal.wrong-profiles': by('POST /api/stream', body({ name: 'a', profiles: 'HD' })),
  'refusal.wrong-profile-field': by('POST /api/stream', withProfiles({ width: '1' })),
  'refusal.wrong-record': by(`PATCH /api/stream/${calm}/record`, body({ record: 'yes' })),
  'refusal.null-name': by('POST /api/stream', body({ name: null })),
  'refusal.null-profile-field': by('POST /api/stream', withProfiles({ width: null })),
  'refusal.negative-profile-field': by('POST /api/stream', withProfiles({ width: -1 })),
  'refusal.null-record': by(`PATCH /api/stream/${calm}/record`, body({ record: null })),
  'refusal.unknown-switch-field': by(
    `PATCH /api/stream/${calm}/record`,
    body({ record: true, mood: 'calm' }),
    'dropped',
  ),
  'refusal.wrong-updated-name': by(`PATCH /api/stream/${calm}`, body({ name: 1 })),
  'refusal.unknown-id.retrieveStream': by(`GET /api/stream/${unknown}`),
  'refusal.unknown-id.updateStream': by(`PATCH /api/stream/${unknown}`, renamed),
  'refusal.unknown-id.deleteStream': by(`DELETE /api/stream/${unknown}`),
  'refusal.unknown-id.setRecord': by(`PATCH /api/stream/${unknown}/record`, on),
  'refusal.unknown-id.retrieveSession': by(`GET /api/session/${unknown}`),
  'refusal.unknown-id.terminateStream': by(`DELETE /api/stream/${unknown}/terminate`),
  'refusal.unknown-id.retrievePlayback': by(`GET /api/playback/${unknown}`),
  'refusal.unknown-id.listSessionsOfStream': by(`GET /api/stream/${unknown}/sessions`, {}, 'empty'),
  'refusal.malformed-id.retrieveStream': by('GET /api/stream/nowhere'),
  'refusal.malformed-id.updateStream': by('PATCH /api/stream/nowhere', renamed),
  'refusal.malformed-id.deleteStream': by('DELETE /api/stream/nowhere'),
  'refusal.malformed-id.setRecord': by('PATCH /api/stream/nowhere/record', on),
  'refusal.malformed-id.retrieveSession': by('GET /api/session/nowhere'),
  'refusal.malformed-id.terminateStream': by('DELETE /api/stream/nowhere/terminate'),
  'refusal.malformed-id.listSessionsOfStream': by('GET /api/stream/nowhere/sessions', {}, 'empty'),
  'refusal.deleted-id.retrieveStream': afterDeletion(`GET /api/stream/${calm}`),
  'refusal.deleted-id.updateStream': afterDeletion(`PATCH /api/stream/${calm}`, renamed),
  'refusal.deleted-id.setRecord': afterDeletion(`PATCH /api/stream/${calm}/record`, on),
  'refusal.deleted-id.terminateStream': afterDeletion(`DELETE /api/stream/${calm}/terminate`),
  'refusal.deleted-id.deleteStream': afterDeletion(`DELETE /api/stream/${calm}`, {}, 'done'),
  'refusal.deleted-id.listSessionsOfStream': afterDeletion(
    `GET /api/stream/${calm}/sessions`,
    {},
    'empty',
  ),
  'refusal.deleted-id.retrieveSession': afterDeletion(`GET /api/session/${calm}`),
  'refusal.other-key.retrieveStream': besidesAnother(`GET /api/stream/${foreignLive}`),
  'refusal.other-key.updateStream': besidesAnother(`PATCH /api/stream/${foreignLive}`, renamed),
  'refusal.other-key.deleteStream': besidesAnother(`DELETE /api/stream/${foreignLive}`),
  'refusal.other-key.setRecord': besidesAnother(`PATCH /api/stream/${foreignLive}/record`, on),
  'refusal.other-key.retrieveSession': besidesAnother(`GET /api/session/${foreignSession}`),
  'refusal.other-key.terminateStream': besidesAnother(
    `DELETE /api/stream/${foreignLive}/terminate`,
  ),
  'refusal.other-key.retrievePlayback': besidesAnother(`GET /api/playback/${foreignPlayback}`),
  'refusal.other-key.listSessionsOfStream': besidesAnother(
    `GET /api/stream/${foreignLive}/sessions`,
    {},
    'empty',
  ),
  'refusal.session-id.retrieveStream': by(`GET /api/stream/${session}`, {}, 'session'),
  'refusal.session-id.updateStream': by(`PATCH /api/stream/${session}`, renamed),
  'refusal.session-id.deleteStream': by(`DELETE /api/stream/${session}`),
  'refusal.session-id.setRecord': by(`PATCH /api/stream/${session}/record`, on),
  'refusal.session-id.terminateStream': by(`DELETE /api/stream/${session}/terminate`),
  'refusal.session-id.listSessionsOfStream': by(`GET /api/stream/${session}/sessions`, {}, 'empty'),
  'refusal.stream-id.retrieveSession': by(`GET /api/session/${calm}`),
  'refusal.unknown-route': by('GET /api/nowhere'),
  'refusal.method': by('PUT /api/stream', { body: '{}' }),
  'refusal.no-key': by('GET /api/stream', { authorization: null }),
  'refusal.wrong-key': by('GET /api/stream', { authorization: 'Bearer unknown' }),
  'refusal.other-scheme': by('GET /api/stream', { authorization: testKey }),
  'refusal.live-switch': by(
    `PATCH /api/stream/${live}/record`,
    body({ record: false }),
    'accepted',
  ),
  'refusal.live-repeat': by(`PATCH /api/stream/${live}/record`, body({ record: true }), 'accepted'),
  'refusal.live-delete': by(`DELETE /api/stream/${live}`, {}, 'accepted'),
  'refusal.idle-terminate': by(`DELETE /api/stream/${calm}/terminate`, {}, 'done'),
} satisfies Record<RefusalRow, Show>);

/** The interface leaves open whether these are offered. */
testRows({
  'operation.listStreams': by('GET /api/stream', {}, 'offered'),
  'operation.retrieveStream': by(`GET /api/stream/${calm}`, {}, 'offered'),
  'operation.updateStream': by(`PATCH /api/stream/${calm}`, renamed, 'offered'),
  'operation.deleteStream': by(`DELETE /api/stream/${calm}`, {}, 'offered'),
  'operation.listSessions': by('GET /api/session', {}, 'offered'),
  'operation.retrieveSession': by(`GET /api/session/${session}`, {}, 'offered'),
  'operation.terminateStream': by(`DELETE /api/stream/${live}/terminate`, {}, 'offered'),
  'operation.retrievePlayback': by(`GET /api/playback/${playback}`, {}, 'offered'),
} satisfies Record<Extract<keyof ChangeBehaviours, `operation.${string}`>, Show>);

describe('a refusal', () => {
  test.each<{ form: RefusalBody; type: string | null; text: string }>([
    { form: 'empty', type: null, text: '' },
    {
      form: { type: 'text/plain' },
      type: 'text/plain',
      text: 'The request was refused with status 404.',
    },
    {
      form: { type: 'text/html', json: { message: '{message}' } },
      type: 'text/html',
      text: 'The request was refused with status 404.',
    },
    {
      form: { type: 'text/html; charset=json', json: { message: '{message}' } },
      type: 'text/html; charset=json',
      text: 'The request was refused with status 404.',
    },
    {
      form: { type: 'application/json', json: { code: 'UNKNOWN', of: ['{status}', '{message}'] } },
      type: 'application/json',
      text: '{"code":"UNKNOWN","of":[404,"id: expected a stream of this API key, got \\"<b>\\""]}',
    },
    {
      form: { type: 'application/json', json: { all: ['{message}'] } },
      type: 'application/json',
      text: '{"all":["id: expected a stream of this API key, got \\"<b>\\""]}',
    },
  ])('has the body $form', async ({ form, type, text }) => {
    const response = await sendTo(mockWith({ 'refusal.body': form }))('GET /api/stream/%3Cb%3E');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await response.text()).toBe(text);
  });

  test('has the form of its own row where that has one', async () => {
    const send = sendTo(
      mockWith({
        'refusal.body': { type: 'text/plain' },
        'refusal.no-key': { status: 403, body: 'empty' },
      }),
    );
    const response = await send('GET /api/stream', { authorization: null });
    expect([response.status, await response.text()]).toEqual([403, '']);
  });

  test('tells another key only where the service does, and never whose', async () => {
    const mock = mockWith({ 'refusal.other-key.setRecord': { status: 403 } });
    await mock.world('test-other');
    const send = sendTo(mock);
    const response = await send(`PATCH /api/stream/${foreignLive}/record`, on);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain('test-other');
    expect((await send(`GET /api/stream/${foreignLive}`)).status).toBe(404);
  });
});

describe('a dialect is for clients on the paths of the interface', () => {
  const send = sendTo(
    mockWith({
      'refusal.body': 'empty',
      'refusal.unknown-id.retrieveStream': { status: 410 },
      'refusal.unknown-route': { status: 410 },
      'refusal.no-key': { status: 410 },
      'operation.listStreams': { status: 410 },
      'cors.requests': { status: 410 },
      'http.options': { status: 410 },
      'http.head': { status: 410 },
      'http.json-type': 'application/json',
    }),
  );
  const tester = { 'x-livestream-mock-tester': '1', origin: 'http://page.test' };

  test.each<{ line: string; parts?: RequestParts; status: number }>([
    { line: 'GET /api/stream/nowhere', parts: { headers: tester }, status: 404 },
    { line: 'GET /api/stream', parts: { headers: tester }, status: 200 },
    { line: 'GET /_mock/nowhere', status: 404 },
    { line: 'GET /_mock/clock', parts: { headers: { origin: 'http://page.test' } }, status: 200 },
    { line: 'GET /_mock/clock', parts: { authorization: null }, status: 401 },
    { line: 'OPTIONS /_mock/clock', status: 204 },
    { line: 'HEAD /openapi.json', status: 200 },
    { line: `HEAD /hls/${live}/index.m3u8`, status: 404 },
    { line: 'GET /', status: 404 },
  ])('not for $line with $parts', async ({ line, parts = {}, status }) => {
    const response = await send(line, parts);
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });
});

test('an operation that is not offered is not what its refusal advises', async () => {
  const send = sendTo(mockWith({ 'operation.listSessions': { status: 404 } }));
  const text = await (await send('GET /api/session')).text();
  expect(text).toContain('expected a known route such as GET /api/session/{id}, got');
});

test.each(['/%61pi/stream', '/api/%73tream'])(
  'a dialect holds for a path that is written in percent signs: %s',
  async (path) => {
    const send = sendTo(mockWith({ 'operation.listStreams': { status: 410 } }));
    expect((await send(`GET ${path}`)).status).toBe(410);
  },
);

test('a method that is refused names those that the path has', async () => {
  const send = sendTo(
    mockWith({
      'http.allow': 'present',
      'http.head': { status: 405 },
      'operation.deleteStream': { status: 405 },
    }),
  );
  const allowOf = async (line: string) => (await send(line)).headers.get('allow');
  expect(await allowOf('PUT /api/stream')).toBe('GET, POST');
  expect(await allowOf(`DELETE /api/stream/${calm}`)).toBe('GET, PATCH');
  expect(await allowOf('HEAD /api/stream')).toBe('GET, POST');
  expect(await allowOf('GET /api/nowhere')).toBeNull();
});
