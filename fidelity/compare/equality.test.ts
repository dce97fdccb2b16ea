import { expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import { findingsIn } from './against.test-support.ts';
import type { Finding } from './equality.ts';
import { type Move, type Position, requestOf } from './moves.ts';

/** A service whose sessions show an address as `change` makes it of all that the sessions of a list have. */
function showing(key: string, change: (all: readonly string[], index: number) => string) {
  return (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      const shown: unknown = await response
        .clone()
        .json()
        .catch(() => undefined);
      if (!Array.isArray(shown) || request.url.includes('_mock')) return response;
      const all = shown.map((session) => session[key]);
      const changed = shown.map((session, index) =>
        typeof session[key] === 'string' ? { ...session, [key]: change(all, index) } : session,
      );
      return Response.json(changed, { status: response.status, headers: response.headers });
    };
}

const stream: Position = { of: 'stream', at: 0 };
const twoRecordings: readonly Move[] = [
  requestOf('createStream', { body: { name: 'a', record: true } }),
  { start: stream, seconds: 3.2 },
  { start: stream, seconds: 3.2 },
  requestOf('listSessionsOfStream', { id: stream, untilReady: true }),
];

/** How a changed mock differs in two recordings. */
async function findingOf(change: (send: Send) => Send): Promise<Finding | undefined> {
  return (await findingsIn(change, twoRecordings))[0];
}

test.each([
  {
    what: 'one address for both recordings differs',
    change: showing('recordingUrl', (all) => all[0] ?? ''),
    kinds: ['one', 'another'],
  },
  {
    what: 'each recording on another host differs',
    change: showing('recordingUrl', (all, index) =>
      (all[index] ?? '').replace('service.test', `cdn-${index}.test`),
    ),
    kinds: ['on one host', 'on another'],
  },
  {
    what: 'playlists on another host than its MP4s does not differ',
    change: showing('recordingUrl', (all, index) =>
      (all[index] ?? '').replace('service.test', 'cdn.test'),
    ),
    kinds: undefined,
  },
])('a service with $what', async ({ change, kinds }) => {
  expect(await findingOf(change)).toEqual(kinds && { where: '[].recordingUrl', kinds });
});

/** A service that adds a header to every response. */
function adding(name: string, value: string): (send: Send) => Send {
  return (send) => async (request) => {
    const response = await send(request);
    response.headers.append(name, value);
    return response;
  };
}

const list = requestOf('listStreams');

test.each([
  ['allow', 'POST, GET', 'get, post'],
  ['retry-after', '2', '2'],
  ['www-authenticate', 'Bearer realm="a"', 'bearer'],
  ['etag', '"1"', 'present'],
  ['x-request-id', '1', undefined],
])('a header %s counts as what clients read of it', async (name, value, kind) => {
  const findings = await findingsIn(adding(name, value), [list]);
  const expected = kind === undefined ? [] : [{ where: `header ${name}`, kinds: [kind, 'absent'] }];
  expect(findings).toEqual(expected);
});
