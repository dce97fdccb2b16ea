import { expect, test } from 'vitest';
import { callTarget } from './call.ts';
import { expectAllRefused, expectDistinct, expectEcho, expectField } from './expectations.ts';
import { Blocked, expectOfEach, fail, rememberExchanges, rememberIndex } from './failure.ts';
import { readObjects } from './read-response.ts';
import { readTarget } from './target.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

test.each([
  ['in other letter case', { mp4Url: 'a' }, 'mp4URL', '; the object has mp4Url'],
  ['of another name', { url: 'a', mp4Address: 'b' }, 'mp4URL', ''],
])(
  'a message about a missing key names the key that is probably meant, if there is one: %s',
  (_, object, field, hint) => {
    expect(() => expectField(object, field, 'a text', isText)).toThrow(
      expect.objectContaining({ message: `${field}: expected a text, got nothing${hint}` }),
    );
    expect(() => expectEcho(object, { [field]: 'a' }, 'body', object)).toThrow(
      expect.objectContaining({ message: `body.${field}: expected this key, got nothing${hint}` }),
    );
  },
);

test('a failure has its exchanges as evidence, the decisive one first', () => {
  const first = { curl: 'curl 1', duration: 1 };
  const second = { curl: 'curl 2', duration: 1 };
  const list = rememberExchanges([], [second]);
  const session = rememberExchanges({ id: 1 }, [first]);
  expect(() => expectEcho(session.id, 2, 'id', session, list, session)).toThrow(
    expect.objectContaining({ evidence: [first, second] }),
  );
});

test('a failure names all differences', () => {
  const proof = {};
  expect(() => expectEcho({ a: 1, b: [2, 3] }, { a: 2, b: [2, 4] }, 'body', proof)).toThrow(
    'body.a: expected 2, got 1; body.b[1]: expected 4, got 3',
  );
});

test.each([
  [
    '300 characters/'.repeat(20),
    '300 characters/'.repeat(17),
    'expected "ters/300 characters/300 characters/300 characters/300 characters/" after 235 characters, got "ters/300 characters/"',
  ],
  ['a', 'b', 'expected "a", got "b"'],
])(
  'of long texts, only what is around the first difference is shown',
  (expected, actual, words) => {
    expect(() => expectEcho({ name: actual }, { name: expected }, 'body', {})).toThrow(
      `body.name: ${words}`,
    );
  },
);

test('one failure names every element of a list that is wrong, and shows it', async () => {
  const exchange = { curl: 'curl 1', duration: 1 };
  const elements = [{ id: 'a' }, { id: 1 }, { id: 'c' }, { id: 2 }].map((element, index) => {
    rememberIndex(element, index);
    return rememberExchanges(element, [exchange]);
  });
  const checked = expectOfEach(elements, (element) => expectField(element, 'id', 'a text', isText));
  await expect(checked).rejects.toMatchObject({
    message: '[1].id: expected a text, got 1; [3].id: expected a text, got 2',
    evidence: [
      { ...exchange, element: '[1]: {"id":1}' },
      { ...exchange, element: '[3]: {"id":2}' },
    ],
  });
});

test('what is not a failure ends a check of each, unless something failed before', async () => {
  const check = (item: string): never => {
    if (item === 'blocked') throw new Blocked('needs a session');
    return fail(`${item}: wrong`, {});
  };
  await expect(expectOfEach(['blocked', 'a'], check)).rejects.toThrow('needs a session');
  await expect(expectOfEach(['a', 'blocked', 'b'], check)).rejects.toThrow(/^a: wrong$/);
});

test('mistakes that differ only in where they are share their words', async () => {
  const checked = expectOfEach(['a', 'b', 'c'], (item) => {
    if (item === 'b') fail('b: expected 1, got 3', {});
    fail([`${item}: expected 1, got 2`, `${item}: expected a text, got nothing`], {});
  });
  await expect(checked).rejects.toThrow(
    /^a, c: expected 1, got 2; a, c: expected a text, got nothing; b: expected 1, got 3$/,
  );
});

test('of mistakes at very many places, the first are named, and how many more there are', async () => {
  const segments = Array.from({ length: 200 }, (_, index) => `segment ${index + 1}`);
  const checked = expectOfEach(segments, (segment) =>
    fail(
      `${segment}: expected status 200, got 404`,
      rememberExchanges({}, [{ curl: segment, duration: 1 }]),
    ),
  );
  await expect(checked).rejects.toMatchObject({
    message: expect.stringMatching(
      /^segment 1, segment 2, .*, and 192 more: expected status 200, got 404$/,
    ),
    evidence: segments.slice(0, 10).map((curl) => ({ curl, duration: 1 })),
  });
});

test('values that are not refused are named by their status, each cut to a few characters', async () => {
  const statuses = new Map<unknown, number>([
    ['wide', 201],
    [5, 400],
    [null, 500],
  ]);
  const values = [...statuses.keys(), { width: 'a very long text'.repeat(9) }];
  const send = async (request: Request): Promise<Response> =>
    new Response('', { status: statuses.get(await request.json()) ?? 201 });
  const checked = expectAllRefused(callerOf(send), 'wrong values', values, (body) => ({
    method: 'POST',
    path: '/stream',
    body: JSON.stringify(body),
  }));
  await expect(checked).rejects.toThrow(
    'wrong values: expected all 4 to be refused with a status from 400 to 499, got a success for 2: "wide", {"width":"a very long texta very long t…; 500 for 1: null',
  );
});

test.each([
  [
    ['sent', 'withheld'],
    'keys, "sent": expected a refusal with a status from 400 to 499, got a success',
  ],
  [['withheld', 'withheld'], 'needs another key'],
])('requests that cannot be sent are left out, unless that is all: %j', async (values, message) => {
  const call = callerOf(async () => new Response());
  const checked = expectAllRefused(call, 'keys', values, (value) => {
    if (value === 'withheld') throw new Blocked('needs another key');
    return { method: 'GET', path: '/stream' };
  });
  await expect(checked).rejects.toThrow(message);
});

test('all values that several objects share are named', () => {
  const objects = [1, 2, 1, 3, 2, 1].map((id) => ({ id }));
  expect(() => expectDistinct(objects, 'id', 'sessions')).toThrow(
    'id: expected different values in sessions, got 1, 2 more than once',
  );
});

test('an element of a list that is no object is shown', async () => {
  const body = '[{"id":"a"},null,{"id":"b"},5]';
  const response = await callerOf(async () => new Response(body))({ method: 'GET', path: '/' });
  expect(() => readObjects(response)).toThrow(
    expect.objectContaining({
      message: '[1]: expected a JSON object, got null; [3]: expected a JSON object, got 5',
      evidence: [
        expect.objectContaining({ body, element: '[1]: null' }),
        expect.objectContaining({ body, element: '[3]: 5' }),
      ],
    }),
  );
});

function callerOf(send: (request: Request) => Promise<Response>) {
  const target = readTarget({ baseUrl: 'http://a.test', apiKey: 'test-expectations', send });
  return (request: Parameters<typeof callTarget>[1]) => callTarget(target, request);
}
