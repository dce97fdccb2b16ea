import { redact } from '../../text/redact.ts';

/**
 * The ways in which a wrong key is almost the API key, as words that follow "a key that". There are few, as a service
 * may lock out a client that tries many keys. Each part that differs has several characters, because the last ones of
 * a token may encode nothing.
 */
export const nearKeyWords = {
  cut: 'lacks the end of the right one',
  extended: 'goes on after the end of the right one',
  first: 'differs from the right one at the beginning',
  middle: 'differs from the right one in the middle',
  last: 'differs from the right one at the end',
  letterCase: 'differs from the right one only in letter case',
  punctuation: 'differs from the right one only in punctuation',
} as const;

/** A way in which a wrong key is almost the API key. */
export type NearKey = keyof typeof nearKeyWords;

/**
 * The keys that are almost an API key. They are sent only where the key itself is sent, never in a request that creates
 * something, and reports hide them like the key. Some keys have no letters, and some no punctuation.
 */
export function nearKeys(apiKey: string): Readonly<Partial<Record<NearKey, string>>> {
  const { length } = apiKey;
  const cutLength = length < longKey ? 1 : partLength;
  const part = Math.max(1, Math.min(partLength, Math.floor(length / 3)));
  const change = (start: number): string =>
    apiKey.slice(0, start) +
    changeEach(apiKey.slice(start, start + part)) +
    apiKey.slice(start + part);
  const otherCase = apiKey.replace(/[a-z]/gi, swapCase);
  const otherPunctuation = apiKey.replace(/[^a-z\d]/gi, '');
  return {
    cut: apiKey.slice(0, -cutLength),
    extended: apiKey + '0'.repeat(cutLength),
    first: change(0),
    middle: change(Math.floor((length - part) / 2)),
    last: change(length - part),
    ...(otherCase !== apiKey && { letterCase: otherCase }),
    ...(otherPunctuation !== apiKey && { punctuation: otherPunctuation }),
  };
}

/** How many characters a part of a key has, if the key is long enough. */
const partLength = 4;
/** Without its end, a shorter key might be part of ordinary words. */
const longKey = 16;

/** Makes each character another one of its kind, so that the key keeps its form. */
function changeEach(part: string): string {
  return part.replace(/./gsu, (character) => {
    if (/[a-y0-8]/i.test(character)) return String.fromCharCode(character.charCodeAt(0) + 1);
    return { z: 'a', Z: 'A' }[character] ?? '0';
  });
}

function swapCase(letter: string): string {
  const lower = letter.toLowerCase();
  return letter === lower ? letter.toUpperCase() : lower;
}

/** Every key that the suite sends and reports must not show. */
export function secretsOf(apiKey: string): string[] {
  // Hiding shorter ones would hide ordinary text: `K` is almost the key `k`.
  const hidden = Object.values(nearKeys(apiKey)).filter((key) => key.length > 2);
  return [apiKey, ...hidden];
}

/** Shorter keys are not looked for in what a target shows, which has more words than a report. */
const minSought = 8;

/** Whether one of {@link secretsOf} keys is in a value. */
export function showsKey(value: unknown, secrets: readonly string[]): boolean {
  const keys = secrets.filter((key) => key.length >= minSought);
  return JSON.stringify(redact(value, keys)) !== JSON.stringify(value);
}
