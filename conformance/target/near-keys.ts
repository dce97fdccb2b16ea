/**
 * Keys that are almost an API key, and are to be refused as any other. They are sent where the key is
 * sent, never with a request that creates, and are replaced in reports as it is.
 */
export interface NearKeys {
  /** Without the last character. */
  readonly short: string;
  /** With a character more. */
  readonly long: string;
  /** With one character changed: the last letter is in the other case. */
  readonly similar: string;
}

/** The keys that are almost an API key. */
export function nearKeys(apiKey: string): NearKeys {
  return { short: apiKey.slice(0, -1), long: `${apiKey}0`, similar: changeOne(apiKey) };
}

/** All that is sent as a key, or almost one, and is shown nowhere. */
export function secretsOf(apiKey: string): string[] {
  return [apiKey, ...Object.values(nearKeys(apiKey))];
}

function changeOne(apiKey: string): string {
  const at = apiKey.search(/[a-z][^a-z]*$/i);
  if (at < 0) return apiKey.slice(0, -1) + (apiKey.endsWith('0') ? '1' : '0');
  const letter = apiKey.charAt(at);
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
  return apiKey.slice(0, at) + other + apiKey.slice(at + 1);
}
