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

/** Bytes that come in chunks, cut into lines. */
export interface LineSplitter {
  /** The lines that end in a chunk, without their line breaks. */
  add(chunk: Uint8Array): Uint8Array[];
  /** What has come since the last line break. */
  rest(): Uint8Array;
}

export function createLineSplitter(): LineSplitter {
  let rest: Uint8Array = new Uint8Array();
  return {
    add(chunk) {
      const bytes = new Uint8Array(rest.length + chunk.length);
      bytes.set(rest);
      bytes.set(chunk, rest.length);
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, start)) {
        lines.push(bytes.subarray(start, at));
        start = at + 1;
      }
      rest = bytes.subarray(start);
      return lines;
    },
    rest: () => rest,
  };
}
