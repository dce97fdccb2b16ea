import { beginning, type Place, placeAt, shownOfError } from '../../problems/json-error.ts';
import { Problem } from '../../problems/problem.ts';
import { decode } from './read-body.ts';

/** The text of a body that is decoded, but not parsed yet. */
export interface PartBuffer {
  text(): string;
  /** Where the text begins in the body. */
  place(): Place;
  /** Takes the next chunk. The one before must have been decoded to its end. */
  load(bytes: Uint8Array): void;
  /** The length of the text once the chunk is decoded to `end`; characters of several bytes count for more. */
  lengthTo(end: number): number;
  /**
   * Decodes the chunk up to `end`.
   * @throws Problem 400 for bytes that are not UTF-8, 413 for a text that no string could hold.
   */
  decodeTo(end: number, isLast?: boolean): void;
  /** Removes the text before `offset`. */
  drop(offset: number): void;
  /** Removes what a message does not show of an error at the beginning of the text. */
  shorten(): void;
}

/** Most characters that are parsed at once: half of the longest string of a JavaScript engine. */
const longestPart = 256 * 1024 * 1024;

/** Makes an empty buffer at the beginning of a body. */
export function createPartBuffer(): PartBuffer {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let chunk: Uint8Array = new Uint8Array();
  /** How many bytes of the chunk are in the text. */
  let decoded = 0;
  let text = '';
  let place = beginning;
  const lengthTo = (end: number): number => text.length + end - decoded;
  return {
    text: () => text,
    place: () => place,
    load(bytes) {
      chunk = bytes;
      decoded = 0;
    },
    lengthTo,
    decodeTo(end, isLast = false) {
      if (lengthTo(end) > longestPart) throw tooLong();
      text += decode(chunk.subarray(decoded, end), decoder, !isLast);
      decoded = end;
    },
    drop(offset) {
      place = placeAt(text, offset, place);
      text = text.slice(offset);
    },
    shorten() {
      text = text.slice(0, shownOfError);
    },
  };
}

function tooLong(): Problem {
  return new Problem('too-large', {
    path: 'body',
    expected: `at most ${longestPart} bytes in one value`,
    got: 'more',
  });
}
