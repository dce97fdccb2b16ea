import { Problem } from '../problems/problem.ts';
import { acceptsKey, expectedKey } from '../service/api-keys.ts';

/**
 * The API key of a request (interface 5); `undefined` where none is given. The scheme's letter
 * case does not matter.
 * @throws Problem 401 for another scheme or a key that is not accepted. The text shows neither.
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

/** The refusal of a request that does not say whose it is. */
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
