import {
  beginning,
  describeError,
  errorOffset,
  placeAt,
  shownOfError,
} from '../../problems/json-error.ts';
import { Problem } from '../../problems/problem.ts';
import { createJsonParts } from './json-parts.ts';
import { type Ended, scanJson, startScan } from './json-scan.ts';
import { decode } from './read-body.ts';
import { mayBeUnsafe, refuseUnsafeJson } from './unsafe-json.ts';

/** Reads JSON that comes in chunks. */
export interface JsonReader {
  /**
   * Takes the next bytes, and returns how many keys and values begin in them.
   * @throws Problem 400 for bytes that are not UTF-8 or JSON that nests too deep, 413 for too many keys.
   */
  write(bytes: Uint8Array): number;
  /**
   * The value of all bytes, as `JSON.parse` returns it.
   * @throws Problem 400 for anything but JSON, and for unsafe JSON.
   */
  end(): unknown;
}

/** Characters of a part; a longer one where no member or item ends in so many. */
const usualPart = 64 * 1024;
/** Most characters that are parsed at once: half of the longest string of a JavaScript engine. */
const longestPart = 256 * 1024 * 1024;

/**
 * Makes a reader of one JSON text that never has all of the text in memory: it parses a few members of the
 * outermost object, or items of arrays in it, at a time. Other JSON is parsed as a whole.
 */
export function createJsonReader(mostParts: number, partLength: number = usualPart): JsonReader {
  const scan = startScan(mostParts);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts = createJsonParts();
  let chunk: Uint8Array = new Uint8Array();
  /** How many bytes of the chunk are in the text. */
  let decoded = 0;
  /** Decoded, but not parsed yet. */
  let text = '';
  /** Where the text begins in the body. */
  let place = beginning;
  /** Where the last member in the text ends. */
  let memberEnd = 0;
  /** Whether the text has an error, and whether its place is known. */
  let error: 'found' | 'placed' | undefined;
  let isSuspect = false;

  function decodeTo(end: number, isLast = false): void {
    if (text.length + end - decoded > longestPart) throw tooLong();
    text += decode(chunk.subarray(decoded, end), decoder, !isLast);
    decoded = end;
  }

  function endPart(ended: Ended, at: number): void {
    if (error !== undefined) return;
    const isLong = text.length + at - decoded >= partLength;
    if (ended === 'item') {
      if (!isLong) return;
      // An array that goes on in the next part must be the only member of this part.
      if (memberEnd > 0) parse(memberEnd, 'member');
      decodeTo(at + 1);
      parse(text.length, 'item');
    } else {
      decodeTo(at + 1);
      memberEnd = text.length;
      if (isLong || parts.open().includes('[')) parse(memberEnd, 'member');
    }
  }

  /** Parses the text up to `end`, which is after a comma if `ended` says what the comma ends. */
  function parse(end: number, ended?: Ended): void {
    if (error !== undefined) return;
    const part = text.slice(0, ended === undefined ? end : end - 1);
    if (!parts.add(part, ended)) {
      error = 'found';
      return;
    }
    isSuspect ||= mayBeUnsafe(part);
    place = placeAt(text, end, place);
    text = text.slice(end);
    memberEnd = 0;
  }

  /** Keeps only the part of a wrong text that the message shows. */
  function keepError(): void {
    if (error === 'found') {
      const offset = errorOffset(text, parts.open()) ?? text.length;
      place = placeAt(text, offset, place);
      text = text.slice(offset);
      error = 'placed';
    }
    text = text.slice(0, shownOfError);
  }

  function read(bytes: Uint8Array, isLast: boolean): number {
    chunk = bytes;
    decoded = 0;
    const before = scan.parts;
    scanJson(scan, bytes, endPart);
    decodeTo(bytes.length, isLast);
    if (isLast) parse(text.length);
    if (error !== undefined) keepError();
    return scan.parts - before;
  }

  return {
    write: (bytes) => read(bytes, false),
    end() {
      read(new Uint8Array(), true);
      if (error !== undefined) {
        throw new Problem('malformed', {
          path: 'body',
          expected: 'JSON',
          got: describeError(text, place),
        });
      }
      const value = parts.value();
      if (isSuspect) refuseUnsafeJson(value);
      return value;
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
