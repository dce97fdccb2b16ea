import { expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import type { Behaviours } from '../../interface/silent.ts';
import { against, apiKey, showingInNew } from './against.test-support.ts';
import { compare } from './compare.ts';
import { exitStatus } from './model/comparison.ts';

const shows: Partial<Behaviours> = { 'delete.shows': 'stream' };

test('a key with the words of an operation leaves the signature and its entry as they are', async () => {
  const apiKey = 'test-stream';
  const { differences } = await compare({ ...against(shows), apiKey, operations: 500, most: 1 });
  const known = differences.flatMap(({ entry }) => (entry ? [{ ...entry, reason: 'ours' }] : []));
  expect(known.map(({ signature }) => signature)).toEqual(['deleteStream | status | 200 ≠ 204']);
  const again = await compare({ ...against(shows), apiKey, operations: 500, known });
  expect(again).toMatchObject({ unseen: [], differences: [{ known: 'ours' }] });
  expect(exitStatus(again)).toBe(0);
});

test('a key with the words of a row leaves the line for a dialect as it is', async () => {
  const rows: Partial<Behaviours> = { 'stream.further-keys': {} };
  const options = { ...against(rows), apiKey: 'test-stream', operations: 300, most: 1 };
  const { differences } = await compare(options);
  expect(differences).toMatchObject([{ line: { row: 'stream.further-keys', value: {} } }]);
});

/** A service whose refusals of unknown ids name the API key. */
function naming(apiKey: string, before = ''): (send: Send) => Send {
  return (send) => async (request) => {
    const response = await send(request);
    if (response.status !== 404 || request.url.includes('_mock')) return response;
    return Response.json({ [`${before}code`]: apiKey }, response);
  };
}

test('an entry accepts a difference in which the target named the key', async () => {
  const apiKey = 'test-production-secret-key';
  const options = { ...against({}, naming(apiKey)), apiKey, operations: 300, explain: false };
  const { differences } = await compare({ ...options, most: 1 });
  const known = differences.flatMap(({ entry }) => (entry ? [{ ...entry, reason: 'ours' }] : []));
  expect(known).toMatchObject([{ signature: expect.stringContaining('[API key]') }]);
  const again = await compare({ ...options, known, operations: 1 });
  expect(again).toMatchObject({ unseen: [], differences: [{ known: 'ours' }] });
});

test.each(['address in', 'duration', 'header', 'delay', 'of'])(
  'a key in the name of a key that looks like "%s …" is replaced',
  async (words) => {
    const service = showingInNew({ [`${words} ${apiKey}`]: 1 });
    const comparison = await compare({ ...against({}, service), operations: 100, most: 1 });
    expect(comparison.differences).toHaveLength(1);
    expect(JSON.stringify(comparison)).not.toContain(apiKey);
  },
);

test('no part of a key is left in a signature that is cut', async () => {
  const apiKey = 'test-production-secret-key';
  // The form is cut at its 300th character, before and in the key.
  for (let length = 220; length <= 260; length += 4) {
    const name = 'a'.repeat(50);
    const keys = Array.from(
      { length: Math.floor(length / 55) },
      (_, at) => `${name}${'bcdef'[at]}`,
    );
    const padding = 'b'.repeat((length % 55) + 1);
    const wrap =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        if (response.status !== 404 || request.url.includes('_mock')) return response;
        const body = Object.fromEntries([...keys, `y${padding}`].map((key) => [key, 1]));
        return Response.json({ ...body, zcode: apiKey }, response);
      };
    const options = { ...against({}, wrap), apiKey, operations: 60, most: 1, explain: false };
    const { differences } = await compare(options);
    const signatures = differences.map(({ signature }) => signature);
    expect(signatures).toEqual([expect.stringContaining('| refusal |')]);
    expect(signatures.join()).not.toContain('test-p');
  }
});

test('a difference of a key in another scheme has a line that sends it so', async () => {
  const accepting =
    (send: Send): Send =>
    (request) => {
      const { headers } = request;
      if (/^Basic/.test(headers.get('authorization') ?? '')) {
        headers.set('authorization', `Bearer ${apiKey}`);
      }
      return send(request);
    };
  const { differences } = await compare({ ...against({}, accepting), operations: 2_000, most: 1 });
  expect(differences[0]?.found.about).toContain('key: other scheme');
  const { steps = [] } = differences[0]?.transcript ?? {};
  expect(steps.at(-1)?.sides[0].request).toContain('--user "user:$LIVESTREAM_API_KEY" ');
}, 60_000);
