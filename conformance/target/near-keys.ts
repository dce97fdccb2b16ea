/**
 * The ways in which a wrong key is almost the API key. There are only five, as a service may lock out a
 * client that tries many keys.
 */
export const nearKeyWords = {
  short: 'lacks the last character of the right one',
  long: 'has one character more than the right one',
  similar: 'differs from the right one in one character',
  middle: 'differs from the right one in its middle',
  last: 'differs from the right one at its end',
} as const;

/**
 * Keys that are almost the API key. They are sent only where the key itself is sent, never in a request
 * that creates something, and reports hide them like the key.
 */
export type NearKeys = Readonly<Record<keyof typeof nearKeyWords, string>>;

/** The keys that are almost an API key. */
export function nearKeys(apiKey: string): NearKeys {
  const swapped = apiKey.replace(/[a-z]/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const innerMark = apiKey.slice(1, -1).search(/[^a-z\d]/i) + 1;
  return {
    short: apiKey.slice(0, -1),
    long: `${apiKey}0`,
    similar: swapped === apiKey ? changeAt(apiKey, 0) : swapped,
    // A service may compare keys without their punctuation.
    middle: changeAt(apiKey, innerMark || Math.floor(apiKey.length / 2)),
    last: changeAt(apiKey, apiKey.length - 1),
  };
}

/** Every key that the suite sends and reports must not show. */
export function secretsOf(apiKey: string): string[] {
  // Hiding shorter ones would hide ordinary text: `0` is almost the key `k`.
  const hidden = Object.values(nearKeys(apiKey)).filter((key) => key.length > 2);
  return [apiKey, ...hidden];
}

/** The key with another character of the same kind at an index. */
function changeAt(apiKey: string, at: number): string {
  const character = apiKey.charAt(at);
  const [usual, other] = /[a-z\d]/i.test(character) ? ['0', '1'] : ['-', '_'];
  return apiKey.slice(0, at) + (character === usual ? other : usual) + apiKey.slice(at + 1);
}
