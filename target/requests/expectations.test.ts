import { expect, test } from 'vitest';
import { expectEcho, expectField } from './expectations.ts';
import { Blocked, expectOfEach, fail, rememberExchanges, rememberIndex } from './failure.ts';

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
