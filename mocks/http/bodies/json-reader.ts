import { describeError, errorOffset } from '../../problems/json-error.ts';
import { Problem } from '../../problems/problem.ts';
import { createJsonParts } from './json-parts.ts';
import { type Ended, scanJson, startScan } from './json-scan.ts';
import { createPartBuffer } from './part-buffer.ts';

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

/**
 * Makes a reader of one JSON text that never has all of the text in memory: it parses a few members of the
 * outermost object, or items of arrays in it, at a time. Other JSON is parsed as a whole.
 */
export function createJsonReader(mostParts: number, partLength: number = usualPart): JsonReader {
  const scan = startScan(mostParts);
  const buffer = createPartBuffer();
  const parts = createJsonParts();
  /** Where the last member in the buffer ends. */
  let memberEnd = 0;
  /** Whether the buffer has an error, and whether its place is known. */
  let error: 'found' | 'placed' | undefined;

  function endPart(ended: Ended, at: number): void {
    if (error !== undefined) return;
    const isLong = buffer.lengthTo(at) >= partLength;
    if (ended === 'item') {
      if (!isLong) return;
      // An array that goes on in the next part must be the only member of this part.
      if (memberEnd > 0) parse(memberEnd, 'member');
      buffer.decodeTo(at + 1);
      parse(buffer.text().length, 'item');
    } else {
      buffer.decodeTo(at + 1);
      memberEnd = buffer.text().length;
      if (isLong || parts.open().includes('[')) parse(memberEnd, 'member');
    }
  }

  /** Parses the text up to `end`, which is after a comma if `ended` says what the comma ends. */
  function parse(end: number, ended?: Ended): void {
    if (error !== undefined) return;
    const part = buffer.text().slice(0, ended === undefined ? end : end - 1);
    if (!parts.add(part, ended)) {
      error = 'found';
      return;
    }
    buffer.drop(end);
    memberEnd = 0;
  }

  /** Keeps only the part of a wrong text that the message shows. */
  function keepError(): void {
    if (error === 'found') {
      const text = buffer.text();
      buffer.drop(errorOffset(text, parts.open()) ?? text.length);
      error = 'placed';
    }
    buffer.shorten();
  }

  function read(bytes: Uint8Array, isLast: boolean): number {
    const before = scan.parts;
    buffer.load(bytes);
    scanJson(scan, bytes, endPart);
    buffer.decodeTo(bytes.length, isLast);
    if (isLast) parse(buffer.text().length);
    if (error !== undefined) keepError();
    return scan.parts - before;
  }

  return {
    write: (bytes) => read(bytes, false),
    end() {
      read(new Uint8Array(), true);
      if (error === undefined) return parts.value();
      const got = describeError(buffer.text(), buffer.place());
      throw new Problem('malformed', { path: 'body', expected: 'JSON', got });
    },
  };
}
