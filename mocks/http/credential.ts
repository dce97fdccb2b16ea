import { Problem } from '../problems/problem.ts';
import { acceptsKey, expectedKey } from '../service/api-keys.ts';

/**
 * The API key of a request (interface 5); `undefined` when it has none.
 * @throws Problem 401 for another scheme or a key that is not accepted; the text shows neither.
 */
export function readCredential(
  request: Request,
  apiKeys: readonly string[] | undefined,
  schemeCase: 'exact' | 'any',
): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null || header === '') return undefined;
  const apiKey = bearer[schemeCase].exec(header)?.[1];
  if (apiKey === undefined) {
    throw missingCredential(apiKeys, 'refusal.other-scheme', 'a value of another form');
  }
  if (!acceptsKey(apiKeys, apiKey)) {
    throw missingCredential(apiKeys, 'refusal.wrong-key', 'a key that is not known here');
  }
  return apiKey;
}

const bearer = { any: /^bearer +(\S+) *$/i, exact: /^Bearer +(\S+) *$/ } as const;

/** The problem of a request without an accepted key; `came` says what it has instead. */
export function missingCredential(
  apiKeys: readonly string[] | undefined,
  row: `refusal.${'no-key' | 'wrong-key' | 'other-scheme'}`,
  came: string,
): Problem {
  return new Problem('unauthorized', {
    path: 'header authorization',
    expected: `"Bearer <API key>" with ${expectedKey(apiKeys)}`,
    got: came,
    row,
  });
}
