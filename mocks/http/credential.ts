import { Problem } from '../problems/problem.ts';
import { acceptsKey, expectedKey } from '../service/api-keys.ts';

/**
 * The API key of a request (interface 5); `undefined` when it has none. The case of the scheme does not
 * matter.
 * @throws Problem 401 for another scheme or a key that is not accepted; the text shows neither.
 */
export function readCredential(
  request: Request,
  apiKeys: readonly string[] | undefined,
): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null || header === '') return undefined;
  const apiKey = /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (apiKey === undefined) throw missingCredential(apiKeys, 'a value of another form');
  if (!acceptsKey(apiKeys, apiKey))
    throw missingCredential(apiKeys, 'a key that is not known here');
  return apiKey;
}

/** The problem of a request without an accepted key; `came` says what it has instead. */
export function missingCredential(
  apiKeys: readonly string[] | undefined,
  came = 'nothing',
): Problem {
  return new Problem('unauthorized', {
    path: 'header authorization',
    expected: `"Bearer <API key>" with ${expectedKey(apiKeys)}`,
    got: came,
  });
}
