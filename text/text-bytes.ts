const utf8Decoder = new TextDecoder('utf-8', { fatal: true });

/** Bytes are not text in UTF-8. */
export class EncodingError extends TypeError {
  override readonly name = 'EncodingError';
  /** What they are instead. */
  readonly found: 'UTF-16' | 'invalid UTF-8';

  constructor(found: 'UTF-16' | 'invalid UTF-8') {
    super(`expected UTF-8, got ${found}; save the file as UTF-8`);
    this.found = found;
  }
}

/**
 * The text of some bytes in UTF-8, without a byte order mark.
 * @throws EncodingError for other bytes.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8Decoder.decode(bytes);
  } catch {
    throw new EncodingError(utf16MarkedIn(bytes) === undefined ? 'invalid UTF-8' : 'UTF-16');
  }
}

/** The byte order of UTF-16, from the mark that some Windows programs write at the beginning; `undefined` without one. */
export function utf16MarkedIn(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const mark = `${bytes[0]},${bytes[1]}`;
  if (mark === '255,254') return 'utf-16le';
  return mark === '254,255' ? 'utf-16be' : undefined;
}

/**
 * The lines of a text as bytes, without their line breaks. Whatever editors add is not part of them: a byte order mark,
 * carriage returns, and blank lines at the end.
 */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  const end = endOfLastLine(bytes);
  let start = hasByteOrderMark(bytes) ? 3 : 0;
  while (start < end) {
    const at = bytes.indexOf(lineFeed, start);
    const next = at < 0 || at > end ? end : at;
    yield bytes.subarray(start, bytes[next - 1] === carriageReturn ? next - 1 : next);
    start = next + 1;
  }
}

const lineFeed = 10;
const carriageReturn = 13;
const blanks: readonly (number | undefined)[] = [lineFeed, carriageReturn, 9, 32];

export function hasByteOrderMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Where the last line that is not blank ends. */
function endOfLastLine(bytes: Uint8Array): number {
  let end = bytes.length;
  while (end > 0 && blanks.includes(bytes[end - 1])) end -= 1;
  return end;
}
