import { redact } from '../../text/redact.ts';

/**
 * The ways in which a wrong key is almost the API key. There are only three, as a service may lock out a
 * client that tries many keys.
 */
export const nearKeyWords = {
  cut: 'lacks the last character of the right one',
  extended: 'has one character more than the right one',
  similar: 'differs from the right one in one character',
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
  // A key without letters.
  const changed = (apiKey.startsWith('0') ? '1' : '0') + apiKey.slice(1);
  return {
    cut: apiKey.slice(0, -1),
    extended: `${apiKey}0`,
    similar: swapped === apiKey ? changed : swapped,
  };
}

/** Every key that the suite sends and reports must not show. */
export function secretsOf(apiKey: string): string[] {
  // Hiding shorter ones would hide ordinary text: `K` is almost the key `k`.
  const hidden = Object.values(nearKeys(apiKey)).filter((key) => key.length > 2);
  return [apiKey, ...hidden];
}

/** Shorter keys are not looked for in what a target shows, which has more words than a report. */
const minSought = 8;

/** Whether one of the keys, or one that is almost the same, is in a value. */
export function showsKey(value: unknown, apiKeys: readonly string[]): boolean {
  const keys = apiKeys.flatMap(secretsOf).filter((key) => key.length >= minSought);
  return JSON.stringify(redact(value, keys)) !== JSON.stringify(value);
}
