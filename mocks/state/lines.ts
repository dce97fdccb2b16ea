/** Most bytes of a line in an exported state and in a file that keeps worlds. */
export const longestLine: number = 1024 * 1024;

/** Most bytes of a record, so that a line has room for what stands beside it. */
export const longestRecord = 1_000_000;

/** Whether the JSON of a record is too long for a line. */
export function isTooLong(json: string): boolean {
  // A character takes at most three bytes.
  if (3 * json.length <= longestRecord) return false;
  return new TextEncoder().encode(json).length > longestRecord;
}

/** Cuts bytes that come in chunks into lines. */
export function createLineSplitter() {
  let held = new Uint8Array();
  let length = 0;
  /** What has come since the last line break. */
  const rest = (): Uint8Array => held.subarray(0, length);
  /** Doubles the room: a line may come byte by byte. */
  const hold = (bytes: Uint8Array): void => {
    const needed = length + bytes.length;
    if (needed > held.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(rest());
      held = larger;
    }
    held.set(bytes, length);
    length = needed;
  };
  return {
    /** The lines that end in a chunk, without their line breaks. */
    add(chunk: Uint8Array): Uint8Array[] {
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
        const end = chunk.subarray(start, at);
        start = at + 1;
        if (length === 0) {
          lines.push(end);
          continue;
        }
        hold(end);
        lines.push(rest());
        held = new Uint8Array();
        length = 0;
      }
      hold(chunk.subarray(start));
      return lines;
    },
    rest,
  };
}

/** The lines of a text as bytes, without their line breaks; the last one need not have one. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  let start = 0;
  while (start < bytes.length) {
    const at = bytes.indexOf(10, start);
    const end = at < 0 ? bytes.length : at;
    yield bytes.subarray(start, end);
    start = end + 1;
  }
}
