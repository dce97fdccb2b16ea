import { Problem } from '../problem.ts';

/** The form of an API key where no exact keys are given. */
const openKey = /^test-[\w.~+/=-]{1,200}$/;

/** Tells whether an API key is accepted: the given ones, or any of the form `test-…`. */
export function acceptsKey(apiKeys: readonly string[] | undefined, apiKey: string): boolean {
  return apiKeys === undefined ? openKey.test(apiKey) : apiKeys.includes(apiKey);
}

/** What a client should send, in words; exact keys are secrets and stay out of it. */
export function expectedKey(apiKeys: readonly string[] | undefined): string {
  return apiKeys === undefined
    ? 'a key of the form test-… (such as test-demo)'
    : 'one of the keys that this mock was started with';
}

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

/** The key that a request carries, accepted or not. */
export function sentKey(headers: Headers): string | undefined {
  const header = headers.get('authorization');
  return header?.replace(/^\S+ +/, '').trim() || undefined;
}

/** The refusal of a request that does not say whose it is. */
export function missingCredential(
  apiKeys: readonly string[] | undefined,
  came = 'nothing',
): Problem {
  return new Problem(
    401,
    `header authorization: expected "Bearer <API key>" with ${expectedKey(apiKeys)}, got ${came}`,
  );
}
