import {
  beginning,
  describeFault,
  faultOffset,
  placeAt,
  toldOfFault,
} from '../../problems/json-error.ts';
import { Problem } from '../../problems/problem.ts';
import { createJsonParts } from './json-parts.ts';
import { type Ended, scanJson, startScan } from './json-scan.ts';
import { decode } from './read-body.ts';
import { mayBeUnsafe, refuseUnsafeJson } from './unsafe-json.ts';

/** Reads the JSON of a body that comes in chunks. */
export interface JsonReader {
  /**
   * Takes the next bytes, and returns how many keys and values begin in them.
   * @throws Problem 400 for what is no text or nests too deep, 413 for too much.
   */
  write(bytes: Uint8Array): number;
  /**
   * What JSON all bytes hold, as `JSON.parse` has it.
   * @throws Problem 400 for what is no JSON or unsafe.
   */
  end(): unknown;
}

/** Characters of a part; more, where nothing ends in so many. */
const usualPart = 64 * 1024;
/** Most that are parsed at once: half of what an engine's longest string can hold. */
const longestPart = 256 * 1024 * 1024;

/**
 * Makes what reads one JSON text and never holds all of it: the members of an object, and the items of
 * arrays that are such members, are parsed some at a time. Other JSON is parsed as a whole.
 */
export function createJsonReader(mostParts: number, partLength: number = usualPart): JsonReader {
  const scan = startScan(mostParts);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts = createJsonParts();
  let chunk: Uint8Array = new Uint8Array();
  /** How much of the chunk is in the text. */
  let decoded = 0;
  /** What has been decoded and not been parsed. */
  let text = '';
  /** Where the text begins in the body. */
  let place = beginning;
  /** Where in the text its last member ends. */
  let memberEnd = 0;
  let fault: 'met' | 'placed' | undefined;
  let isSuspect = false;

  function decodeTo(end: number, isLast = false): void {
    if (text.length + end - decoded > longestPart) throw tooLong();
    text += decode(chunk.subarray(decoded, end), decoder, !isLast);
    decoded = end;
  }

  function endPart(ended: Ended, at: number): void {
    if (fault !== undefined) return;
    const isLong = text.length + at - decoded >= partLength;
    if (ended === 'item') {
      if (!isLong) return;
      // What goes on in the next part has to be alone in this one.
      if (memberEnd > 0) parse(memberEnd, 'member');
      decodeTo(at + 1);
      parse(text.length, 'item');
    } else {
      decodeTo(at + 1);
      memberEnd = text.length;
      if (isLong || parts.open().includes('[')) parse(memberEnd, 'member');
    }
  }

  /** Parses the text up to `end`, which is behind a comma unless nothing `ended`. */
  function parse(end: number, ended?: Ended): void {
    if (fault !== undefined) return;
    const part = text.slice(0, ended === undefined ? end : end - 1);
    if (!parts.add(part, ended)) {
      fault = 'met';
      return;
    }
    isSuspect ||= mayBeUnsafe(part);
    place = placeAt(text, end, place);
    text = text.slice(end);
    memberEnd = 0;
  }

  /** Keeps of a text at fault only what is told of it. */
  function keepFault(): void {
    if (fault === 'met') {
      const offset = faultOffset(text, parts.open()) ?? text.length;
      place = placeAt(text, offset, place);
      text = text.slice(offset);
      fault = 'placed';
    }
    text = text.slice(0, toldOfFault);
  }

  function take(bytes: Uint8Array, isLast: boolean): number {
    chunk = bytes;
    decoded = 0;
    const before = scan.parts;
    scanJson(scan, bytes, endPart);
    decodeTo(bytes.length, isLast);
    if (isLast) parse(text.length);
    if (fault !== undefined) keepFault();
    return scan.parts - before;
  }

  return {
    write: (bytes) => take(bytes, false),
    end() {
      take(new Uint8Array(), true);
      if (fault !== undefined) {
        throw new Problem('malformed', {
          path: 'body',
          expected: 'JSON',
          got: describeFault(text, place),
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
