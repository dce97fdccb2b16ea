import { describe, expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import { findingsIn } from './against.test-support.ts';
import type { Move } from './moves.ts';
import type { Finding } from './records.ts';
import { type Correspondence, compareIdsIn, createCorrespondence } from './records.ts';

const first = 'stream-one';
const second = 'stream-two';
const session = 'session-1';
const otherSession = 'session-2';

/** What is known after two streams, each with a session; on the other side they have an `x` in front. */
function known(): Correspondence {
  const correspondence = createCorrespondence();
  for (const id of [first, second]) correspondence.pair('stream id', id, `x${id}`);
  for (const id of [session, otherSession]) correspondence.pair('session id', id, `x${id}`);
  correspondence.pair('stream id', '1', '2');
  return correspondence;
}

describe('two addresses', () => {
  test.each([
    [`https://media.test/${first}/index.m3u8`, `http://localhost/hls/x${first}.m3u8`],
    [`/v2/${first}/index.m3u8`, `/of/x${first}/index.m3u8`],
    // Other ids, ids of another kind and numbers are no contradiction.
    ['https://media.test/abc/index.m3u8', `http://localhost/x${first}.m3u8`],
    [`https://media.test/${first}/index.m3u8`, `http://localhost/x${session}.m3u8`],
    [`/${first}/${session}/index.m3u8`, `/x${first}/x${session}/index.m3u8`],
    ['http://127.0.0.1/1/1.ts', `http://127.0.0.1/x${first}/0.ts`],
    [`/${first}-and-more.mp4`, `/x${first}.mp4`],
    [`/${first}more.mp4`, `/x${second}.mp4`],
  ])('%s and %s correspond', (one, other) => {
    expect(compareIdsIn(one, other, 'mp4URL', known())).toEqual([]);
  });

  test.each([
    [`/${first}/index.m3u8`, `/x${second}/index.m3u8`],
    [`https://cdn.test/${first}/${session}.mp4`, `http://localhost/x${first}/x${otherSession}.mp4`],
  ])('%s and %s differ', (one, other) => {
    expect(compareIdsIn(one, other, 'mp4URL', known())).toHaveLength(1);
  });
});

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

const twoRecordings: readonly Move[] = [
  { operation: 'createStream', body: { name: 'a', record: true } },
  { start: 0, seconds: 3.2 },
  { start: 0, seconds: 3.2 },
  { operation: 'listSessionsOfStream', id: { of: 'stream', at: 0 }, untilReady: true },
];

/** How a changed mock differs in two recordings. */
async function findingOf(change: (send: Send) => Send): Promise<Finding | undefined> {
  return (await findingsIn(change, twoRecordings))[0];
}

test.each([
  {
    what: 'each recording under another session differs',
    change: showing('recordingUrl', (all, index) => all.toReversed()[index] ?? ''),
    kinds: ['with the id of one', 'with that of another'],
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

test('a playlist that leads to another recording differs', async () => {
  let ids: string[] = [];
  const misled =
    (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      if (request.url.endsWith('/sessions')) {
        ids = (await response.clone().json()).map(({ id }: { id: string }) => id);
      }
      const id = ids.find((one) => request.url.endsWith(`${one}/index.m3u8`));
      if (id === undefined) return response;
      const other = ids.find((one) => one !== id);
      const text = (await response.text()).replaceAll('source/', `/recordings/${other}/source/`);
      return new Response(text, { headers: response.headers });
    };
  expect(await findingOf(misled)).toMatchObject({ where: 'address in the playlist' });
});
