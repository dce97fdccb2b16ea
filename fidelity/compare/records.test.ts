import { expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import { findingsIn } from './against.test-support.ts';
import { type Move, requestOf } from './moves.ts';
import type { Finding } from './records.ts';

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
  requestOf('createStream', { body: { name: 'a', record: true } }),
  { start: 0, seconds: 3.2 },
  { start: 0, seconds: 3.2 },
  requestOf('listSessionsOfStream', { id: { of: 'stream', at: 0 }, untilReady: true }),
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
