import { describe, expect, test } from 'vitest';
import type { Send } from '../../../conformance/target/exchange.ts';
import { against } from '../against.test-support.ts';
import type { Move } from '../moves/move.ts';
import { runOnce } from '../search/run-once.ts';
import { searchBetween } from '../search/search.test-support.ts';
import { compareAddresses } from './addresses.ts';
import { createBijection } from './bijection.ts';
import type { Finding } from './finding.ts';

/** What is known after two streams, `1` and `2` on one side, and one host. */
function known() {
  const [ids, hosts] = [createBijection(), createBijection()];
  ids.pair('1', 'first');
  ids.pair('2', 'second');
  hosts.pair('media.test', 'localhost:8080');
  return { ids, hosts };
}

describe('two addresses', () => {
  test.each([
    ['https://media.test/1/index.m3u8', 'http://localhost:8080/hls/first.m3u8'],
    ['https://media.test/a-1.mp4', 'http://localhost:8080/first.mp4'],
    ['/v2/1/index.m3u8', '/of/first/index.m3u8'],
    // Further ids, or none, are no contradiction.
    ['https://media.test/x/index.m3u8', 'http://localhost:8080/first.m3u8'],
    ['https://media.test/1/2/index.m3u8', 'http://localhost:8080/second.m3u8'],
  ])('%s and %s correspond', (one, other) => {
    expect(compareAddresses([one, other], 'mp4URL', known())).toEqual([]);
  });

  test.each([
    ['/1/index.m3u8', '/second/index.m3u8', 'with the id of one'],
    ['https://cdn.test/1', 'http://localhost:8080/first', 'on one host'],
    ['https://media.test/1', 'http://localhost:8081/first', 'on one host'],
  ])('%s and %s differ: %s', (one, other, kind) => {
    const [found] = compareAddresses([one, other], 'mp4URL', known());
    expect(found?.kinds[0]).toBe(kind);
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
  const { difference } = await runOnce(searchBetween(against({}, change)), twoRecordings);
  return difference?.finding;
}

test('a service that mixes up the recordings of its sessions differs', async () => {
  const mixedUp = showing('recordingUrl', (all, index) => all.toReversed()[index] ?? '');
  expect(await findingOf(mixedUp)).toEqual({
    where: '[].recordingUrl',
    kinds: ['with the id of one', 'with that of another'],
  });
});

test('a service with its MP4s on another host than its playlists differs', async () => {
  const elsewhere = showing('mp4URL', (all, index) =>
    (all[index] ?? '').replace('service.test', 'cdn.test'),
  );
  expect(await findingOf(elsewhere)).toEqual({
    where: '[].mp4URL',
    kinds: ['on one host', 'on another'],
  });
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
