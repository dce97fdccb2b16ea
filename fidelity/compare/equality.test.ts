import { expect, test } from 'vitest';
import { type Alteration, answering, findingsIn } from './against.test-support.ts';
import { compareDurations } from './equality.ts';
import { type Move, type Position, requestOf } from './moves.ts';

/** A service whose sessions show an address as `change` makes it of all that the sessions of a list have. */
function showing(
  key: string,
  change: (all: readonly string[], index: number) => string,
): Alteration {
  return answering(async (_, response) => {
    const shown: unknown = await response
      .clone()
      .json()
      .catch(() => undefined);
    if (!Array.isArray(shown)) return undefined;
    const all = shown.map((session) => session[key]);
    const changed = shown.map((session, index) =>
      typeof session[key] === 'string' ? { ...session, [key]: change(all, index) } : session,
    );
    return Response.json(changed, response);
  });
}

const stream: Position = { of: 'stream', at: 0 };
const twoRecordings: readonly Move[] = [
  requestOf('createStream', { body: { name: 'a', record: true } }),
  { start: stream, seconds: 3.2 },
  { start: stream, seconds: 3.2 },
  requestOf('listSessionsOfStream', { id: stream, untilReady: true }),
];

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
  const [finding] = await findingsIn(change, twoRecordings);
  expect(finding).toEqual(kinds && { where: '[].recordingUrl', kinds });
});

test('sessions of an encoder, which shows no ids, are matched in the order in which they began', async () => {
  const showsNoIds: Alteration = (send) => async (request) => {
    const response = await send(request);
    if (!request.url.endsWith('/start')) return response;
    const { headers } = request;
    const body = '{"advance":1000}';
    await send(new Request('http://service.test/_mock/clock', { method: 'POST', headers, body }));
    return Response.json({}, { status: 201 });
  };
  expect(await findingsIn(showsNoIds, twoRecordings)).toEqual([]);
});

test.each([
  ['allow', 'POST, GET', 'get, post'],
  ['retry-after', '2', '2'],
  ['www-authenticate', 'Bearer realm="a"', 'bearer'],
  ['etag', '"1"', 'present'],
  ['x-request-id', '1', undefined],
])('a header %s counts as what clients read of it', async (name, value, kind) => {
  const adding = answering((_, response) => {
    response.headers.append(name, value);
    return response;
  });
  const findings = await findingsIn(adding, [requestOf('listStreams')]);
  const expected = kind === undefined ? [] : [{ where: `header ${name}`, kinds: [kind, 'absent'] }];
  expect(findings).toEqual(expected);
});

test.each([
  [0.05, 6.4, ['shorter', 'longer']],
  [6.4, 3.2, ['longer', 'shorter']],
])('a duration of %f s differs from one of %f s', (left, right, kinds) => {
  expect(compareDurations('sourceSegmentsDuration', left, right)).toMatchObject([{ kinds }]);
});

test('a duration below the shortest of the mock does not differ from that', () => {
  expect(compareDurations('sourceSegmentsDuration', 0.05, 3.2)).toEqual([]);
});
