import { fail } from '../target/expectations.ts';
import { NoResponse } from '../target/failure.ts';

/** Reads an MP4 chunk by chunk, and holds only its header in memory. */
export interface Mp4Reader {
  take(chunk: Uint8Array): void;
  /**
   * Seconds that the header states; 0 for fragments, of which it may state none. Call it when all of
   * `response` was taken.
   * @throws CheckFailure if it was not an MP4, or only a part of one; NoResponse if its header is too large
   */
  duration(response: object): number;
}

/** Bytes of the largest header that is read: that of ten hours has fewer. */
const largestHeader = 16 * 1024 * 1024;
/** Boxes that are read within one box. */
const mostBoxes = 1_000;

/** Starts to read an MP4: boxes, each of a size, a type and its content (ISO/IEC 14496-12). */
export function readMp4(): Mp4Reader {
  const head: number[] = [];
  const header: Uint8Array[] = [];
  let firstType: string | undefined;
  let type = '';
  let taken = 0;
  /** Bytes of the current box that are still to come. */
  let left = 0;
  let isTooLarge = false;

  const beginBox = (): void => {
    const bytes = Buffer.from(head);
    const isLong = bytes.length >= 8 && bytes.readUInt32BE() === 1;
    if (bytes.length < (isLong ? 16 : 8)) return;
    const size = isLong ? Number(bytes.readBigUInt64BE(8)) : bytes.readUInt32BE();
    // A size of 0 means the rest of the file, and what is smaller than its head is no box.
    left = size < bytes.length ? Number.POSITIVE_INFINITY : size - bytes.length;
    type = bytes.toString('latin1', 4, 8);
    firstType ??= type;
    isTooLarge ||= type === 'moov' && left > largestHeader;
    head.length = 0;
  };
  return {
    take(chunk) {
      taken += chunk.length;
      for (let at = 0; at < chunk.length; ) {
        const part = chunk.subarray(at, at + (left || 1));
        at += part.length;
        if (left === 0) {
          head.push(...part);
          beginBox();
        } else {
          left -= part.length;
          if (type === 'moov' && !isTooLarge) header.push(part.slice());
        }
      }
    },
    duration(response) {
      if (isTooLarge) {
        throw new NoResponse(`mp4URL: expected a header of at most ${largestHeader} bytes`);
      }
      if (firstType !== 'ftyp') fail('mp4URL: expected an MP4 file, got something else', response);
      if (left > 0 && left < Number.POSITIVE_INFINITY) {
        const whole = `a whole file of at least ${taken + left} bytes`;
        fail(`mp4URL: expected ${whole}, got ${taken}`, response);
      }
      try {
        return readHeader(Buffer.concat(header), response);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        return fail('mp4URL: expected an MP4 file, got one whose boxes are too short', response);
      }
    },
  };
}

/** Seconds of a movie. @throws RangeError for a box that is too short */
function readHeader(movie: Buffer, response: object): number {
  const [header] = boxesAt(movie, 'mvhd');
  if (header === undefined) fail('mp4URL: expected a header (mvhd), got none', response);
  const isLong = header.readUInt8() === 1;
  const timescale = header.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16);
  const isFragmented = boxesAt(movie, 'mvex').length > 0;
  if (timescale === 0 || (units === 0 && !isFragmented)) {
    fail('mp4URL: expected a header with a duration, got none', response);
  }
  for (const table of boxesAt(movie, 'trak', 'mdia', 'minf', 'stbl')) {
    const sizes = countIn(table, 'stsz', 8) + countIn(table, 'stz2', 8);
    if (countIn(table, 'stts', 4) > 0 && sizes === 0) {
      fail('mp4URL: expected sizes of all samples (stsz), got none', response);
    }
  }
  return units / timescale;
}

/** The entries of a table, whose number is at a place in its box. */
function countIn(tables: Buffer, type: string, at: number): number {
  return boxesAt(tables, type)[0]?.readUInt32BE(at) ?? 0;
}

/** The contents of the boxes at a path of types. */
function boxesAt(bytes: Buffer, type: string, ...below: readonly string[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0, count = 0; at + 8 <= bytes.length && count < mostBoxes; count++) {
    const size = bytes.readUInt32BE(at);
    if (size < 8) break;
    const content = bytes.subarray(at + 8, at + size);
    if (bytes.toString('latin1', at + 4, at + 8) === type) found.push(content);
    at += size;
  }
  const [next, ...further] = below;
  return next === undefined ? found : found.flatMap((box) => boxesAt(box, next, ...further));
}
