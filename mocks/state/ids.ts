import type { Random } from '../../fixtures/random.ts';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/*
 * Long identifiers are built with `join`: a string that is built with `+` keeps its parts in memory,
 * which would be most of the memory of a large world.
 */

/** A UUID version 4 in lower case. */
export function createId(random: Random): string {
  const first = random.word();
  const second = random.word();
  const third = random.word();
  const fourth = random.word();
  return [
    digits(first >>> 16) + digits(first),
    digits(second >>> 16),
    digits(0x4000 | (second & 0x0fff)),
    digits(0x8000 | ((third >>> 16) & 0x3fff)),
    digits(third) + digits(fourth >>> 16) + digits(fourth),
  ].join('-');
}

/** The id of a session as a child stream, where it has one of its own; the same turns it back. */
export function childId(id: string): string {
  const digits = id
    .slice(-12)
    .replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));
  return `${id.slice(0, -12)}${digits}`;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The lower 16 bits as four hexadecimal digits. */
function digits(word: number): string {
  return `${bytes[(word >>> 8) & 0xff]}${bytes[word & 0xff]}`;
}

/** An ingest key such as `4d5f-k2x9-07qa-mm3c`; it begins like the stream's id. */
export function createStreamKey(random: Random, streamId: string): string {
  return [streamId.slice(0, 4), letters(random), letters(random), letters(random)].join('-');
}

/** A public playback identifier such as `4d5fk2x907qamm3c`; it begins like the stream's id. */
export function createPlaybackId(random: Random, streamId: string): string {
  return [streamId.slice(0, 4), letters(random), letters(random), letters(random)].join('');
}

function letters(random: Random): string {
  let rest = random.word();
  let text = '';
  for (let index = 0; index < 4; index++) {
    text += alphabet.charAt(rest % 36);
    rest = Math.floor(rest / 36);
  }
  return text;
}
