import { expect, test } from 'vitest';
import { expectEcho, expectField } from './expectations.ts';
import { rememberExchanges } from './failure.ts';

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
