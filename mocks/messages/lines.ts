/** Maximum size of a line in an exported state, in bytes. */
export const maxLineBytes: number = 1024 * 1024;

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
