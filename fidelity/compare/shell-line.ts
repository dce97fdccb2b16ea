import { redact } from '../../conformance/run/redact.ts';
import type { Credential } from './moves/move.ts';

/** No short expression makes such a key. */
const oneChanged = "-H 'authorization: Bearer [API key with one character changed]'";

/** The arguments that say who sends a request. A shell has the API key in a variable. */
const authorizations: Readonly<Partial<Record<Credential | 'right', string>>> = {
  right: `-H 'authorization: Bearer '"$LIVESTREAM_API_KEY"`,
  'lower-case': `-H 'authorization: bearer '"$LIVESTREAM_API_KEY"`,
  'other-scheme': `--user "user:$LIVESTREAM_API_KEY"`,
  bare: `-H 'authorization: '"$LIVESTREAM_API_KEY"`,
  short: `-H 'authorization: Bearer '"\${LIVESTREAM_API_KEY%?}"`,
  long: `-H 'authorization: Bearer '"\${LIVESTREAM_API_KEY}0"`,
  similar: oneChanged,
  middle: oneChanged,
  last: oneChanged,
};

const usualVariable = 'LIVESTREAM_API_KEY';

/** The argument in a line of curl, whose quotes a shell undoes. */
const argument = /-H 'authorization: (?:[^']|'\\'')*'/;

/**
 * A line of curl that sends the same key, from a variable, without showing it. A key elsewhere in the
 * request is replaced by `[API key]`.
 */
export function writeShellLine(
  curl: string,
  credential: Credential | undefined,
  { apiKeys, variable }: { apiKeys: readonly string[]; variable: string },
): string {
  const authorization = authorizations[credential ?? 'right']?.replace(usualVariable, variable);
  const found = authorization === undefined ? null : argument.exec(curl);
  if (found === null) return redact(curl, apiKeys);
  const after = curl.slice(found.index + found[0].length);
  return redact(curl.slice(0, found.index), apiKeys) + authorization + redact(after, apiKeys);
}
