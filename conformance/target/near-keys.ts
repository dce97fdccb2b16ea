/**
 * Keys that are almost the API key, and must be refused like any other wrong key. They go only where
 * the key itself goes, never with a request that creates, and reports hide them as they hide the key.
 */
export interface NearKeys {
  /** Without the last character. */
  readonly short: string;
  /** With one more character. */
  readonly long: string;
  /** With one character changed: the last letter has the other case. */
  readonly similar: string;
}

/** The keys that are almost an API key. */
export function nearKeys(apiKey: string): NearKeys {
  return { short: apiKey.slice(0, -1), long: `${apiKey}0`, similar: changeOne(apiKey) };
}

/** Every key that the suite sends and no report may show. */
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
