import { expect, test } from 'vitest';
import { bodyTypes, httpRows } from '../../interface/silent-http.ts';
import {
  mockWith,
  refusalOf,
  type Send,
  type Show,
  sendTo,
  testRows,
} from './dialect.test-support.ts';
import { body, calm, live } from './errors.test-support.ts';
import { testKey } from './request.test-support.ts';

const origin = 'http://page.test';
const fromPage = { headers: { origin } };
const preflight = {
  authorization: null,
  headers: {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'x-trace',
  },
};

async function headerOf(response: Promise<Response>, name: string): Promise<string | null> {
  return (await response).headers.get(name);
}

function listOf(header: string | null): readonly string[] {
  return header === null ? [] : header.split(', ');
}

function presenceOf(header: string | null): string {
  return header === null ? 'absent' : 'present';
}

function bodyOfType(type: string | undefined): Show {
  return async (send) => {
    const bytes = new TextEncoder().encode('{"name":"a"}');
    return refusalOf(await send('POST /api/stream', { type: type ?? null, body: bytes }), 'taken');
  };
}

/** The status of HEAD has no body to be empty. */
async function showHead(send: Send): Promise<unknown> {
  const { status } = await send('HEAD /api/stream');
  return status < 400 ? 'as-get' : { status };
}

async function showEtag(send: Send): Promise<string> {
  const etag = await headerOf(send('GET /api/stream'), 'etag');
  if (etag === null) return 'absent';
  const { status } = await send('GET /api/stream', { headers: { 'if-none-match': etag } });
  return status === 304 ? 'conditional' : 'present';
}

async function showCors(send: Send): Promise<unknown> {
  const response = await send('GET /api/stream', fromPage);
  if (response.status >= 400) return { status: response.status };
  const allowed = response.headers.get('access-control-allow-origin');
  return allowed === '*' ? 'any' : allowed === origin ? 'echo' : 'none';
}

const { 'http.body-size': _, ...rows } = httpRows;

testRows({
  'http.body-type.text': bodyOfType(bodyTypes.text),
  'http.body-type.form': bodyOfType(bodyTypes.form),
  'http.body-type.vendor': bodyOfType(bodyTypes.vendor),
  'http.body-type.none': bodyOfType(undefined),
  'http.json-type': (send) => headerOf(send('GET /api/stream'), 'content-type'),
  'http.head': showHead,
  'http.options': async (send) => {
    const { status } = await send('OPTIONS /api/stream', { authorization: null });
    return status >= 400 ? { status } : status === 200 ? 'ok' : 'no-content';
  },
  'http.options-unknown-route': async (send) => {
    const { status } = await send('OPTIONS /api/nowhere', { authorization: null });
    return status >= 400 ? { status } : 'as-known';
  },
  'http.trailing-slash': async (send) =>
    (await send('GET /api/stream/')).ok ? 'ignored' : 'unknown-route',
  'http.route-case': async (send) =>
    (await send(`GET /API/Stream/${calm}/SESSIONS`)).ok ? 'any' : 'exact',
  'http.etag': showEtag,
  'http.allow': async (send) => presenceOf(await headerOf(send('PUT /api/stream'), 'allow')),
  'http.retry-after': async (send) => {
    const switched = send(`PATCH /api/stream/${live}/record`, body({ record: false }));
    const seconds = await headerOf(switched, 'retry-after');
    return seconds === null ? null : Number(seconds);
  },
  'auth.challenge': async (send) =>
    presenceOf(
      await headerOf(send('GET /api/stream', { authorization: null }), 'www-authenticate'),
    ),
  'auth.scheme-case': async (send) =>
    (await send('GET /api/stream', { authorization: `bearer ${testKey}` })).ok ? 'any' : 'exact',
  'cors.requests': showCors,
  'cors.exposed-headers': async (send) =>
    listOf(await headerOf(send('GET /api/stream', fromPage), 'access-control-expose-headers')),
  'cors.allowed-headers': async (send) => {
    const allowed = listOf(
      await headerOf(send('OPTIONS /api/stream', preflight), 'access-control-allow-headers'),
    );
    return allowed.includes('x-trace') ? 'asked' : allowed;
  },
  'cors.allowed-methods': async (send) =>
    listOf(await headerOf(send('OPTIONS /api/stream', preflight), 'access-control-allow-methods')),
  'cors.max-age': async (send) => {
    const seconds = await headerOf(
      send('OPTIONS /api/stream', preflight),
      'access-control-max-age',
    );
    return seconds === null ? null : Number(seconds);
  },
} satisfies Record<keyof typeof rows, Show>);

const sizes = httpRows['http.body-size'];

test.each([sizes.default, ...sizes.samples])('a body may be as large as %j', async (value) => {
  const send = sendTo(mockWith({ 'http.body-size': value }));
  const bytes = (length: number) => ({ body: `{}${' '.repeat(length - 2)}` });
  expect((await send('POST /api/stream', bytes(value.atLeast))).status).toBe(422);
  const larger = await send('POST /api/stream', bytes(value.below ?? 0));
  expect(await refusalOf(larger)).toEqual(value.refusal);
});

test('a body above the largest that was tried is taken where none was refused', async () => {
  const send = sendTo(mockWith({ 'http.body-size': { atLeast: 16_384 } }));
  expect((await send('POST /api/stream', { body: `{}${' '.repeat(300_000)}` })).status).toBe(422);
});

test('an ETag is that of the bytes: HEAD has it too, and a change makes another', async () => {
  const send = sendTo(mockWith({ 'http.etag': 'conditional' }));
  const path = `/api/stream/${calm}`;
  const first = await headerOf(send(`GET ${path}`), 'etag');
  expect(first).toMatch(/^"[\w-]+"$/);
  expect(await headerOf(send(`HEAD ${path}`), 'etag')).toBe(first);
  const headers = { 'if-none-match': `W/"x", ${first}` };
  const same = await send(`GET ${path}`, { headers });
  expect([same.status, await same.text(), same.headers.get('etag')]).toEqual([304, '', first]);
  await send(`PATCH ${path}/record`, body({ record: true }));
  expect((await send(`GET ${path}`, { headers })).status).toBe(200);
});
