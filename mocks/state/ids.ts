import type { Random } from '../../fixtures/random.ts';

/*
 * Identifiers are built with `join`. A string built with `+` keeps its parts in memory, and in a large world
 * they would take up most of the memory.
 */

/** A UUID version 4 in lower case. */
export function createId(random: Random): string {
  const [first = '', second = '', third = '', fourth = ''] = Array.from({ length: 4 }, () =>
    random.word().toString(16).padStart(8, '0'),
  );
  const variant = '89ab'.charAt(Number.parseInt(third.charAt(0), 16) & 3);
  const middle = [second.slice(0, 4), `4${second.slice(5)}`, variant + third.slice(1, 4)];
  return [first, ...middle, third.slice(4) + fourth].join('-');
}

/** The id of a session as a child stream, if it has a different one there. Applied twice, it gives the original id. */
export function childId(id: string): string {
  const digits = id
    .slice(-12)
    .replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  return `${id.slice(0, -12)}${digits}`;
}

/**
 * Four groups of four characters, the first from the beginning of the stream's id: with hyphens a stream key such as
 * `4d5f-k2x9-07qa-mm3c`, without them a public playback id.
 */
export function createKey(random: Random, streamId: string, separator: '-' | ''): string {
  const groups = [letters(random), letters(random), letters(random)];
  return [streamId.slice(0, 4), ...groups].join(separator);
}

/** Four letters or digits. */
function letters(random: Random): string {
  const digits = random.word().toString(36).padStart(4, '0').slice(-4);
  return [...digits].reverse().join('');
}

/** Whether a text has the form of a UUID, of any version and letter case. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}
