import type { Manners } from '../../interface/dialect.ts';
import type { Asked } from '../../interface/errors.ts';
import { Problem } from '../problems/problem.ts';
import { acceptsKey, expectedKey } from '../service/api-keys.ts';
import { meet } from '../service/meet.ts';

/** Who asks, and for what. */
interface Asking {
  readonly request: Request;
  readonly manners: Manners;
  readonly asked: Asked;
}

/**
 * The API key of a request (interface 5); `undefined` when it has none. Where a dialect takes a key that is
 * not accepted, it is the mock's first.
 * @throws Problem 401 for another scheme or a key that is not accepted; the text shows neither.
 */
export function readCredential(
  { request, manners, asked }: Asking,
  apiKeys: readonly string[] | undefined,
): string | undefined {
  const header = request.headers.get('authorization');
  if (header === null || header === '') return undefined;
  const given = /^bearer +(\S+) *$/i.exec(header)?.[1];
  const error = errorOfHeader(header, given, apiKeys);
  if (error === undefined) return given;
  const came = given === undefined ? 'a value of another form' : 'a key that is not known here';
  meet(
    manners,
    asked,
    { error, problem: () => missingCredential(apiKeys, error, came) },
    undefined,
  );
  const key = given ?? header.split(/ +/).at(-1) ?? '';
  return acceptsKey(apiKeys, key) ? key : (apiKeys?.[0] ?? 'test-demo');
}

/** What is wrong with a header that has a key; `undefined` where it is accepted. */
function errorOfHeader(
  header: string,
  given: string | undefined,
  apiKeys: readonly string[] | undefined,
): string | undefined {
  if (given === undefined) {
    if (/^bearer\s*$/i.test(header)) return 'key:empty';
    return header.includes(' ') ? 'key:scheme' : 'key:bare';
  }
  if (!acceptsKey(apiKeys, given)) return errorOfKey(given, apiKeys ?? []);
  return header.startsWith('Bearer ') ? undefined : 'key:scheme-case';
}

function errorOfKey(given: string, apiKeys: readonly string[]): string {
  if (apiKeys.some((key) => key.startsWith(given))) return 'key:cut';
  return apiKeys.some((key) => given.startsWith(key)) ? 'key:extended' : 'key:wrong';
}

/** The problem of a request without an accepted key; `came` says what it has instead. */
export function missingCredential(
  apiKeys: readonly string[] | undefined,
  error: string,
  came: string,
): Problem {
  return new Problem('unauthorized', {
    path: 'header authorization',
    expected: `"Bearer <API key>" with ${expectedKey(apiKeys)}`,
    got: came,
    error,
  });
}
