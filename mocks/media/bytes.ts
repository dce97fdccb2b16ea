/** Bytes that are computed when they are read, so that their number costs no memory. */
export interface ByteSource {
  readonly length: number;
  /** The bytes from `start` up to, but without, `end`; both lie within the length. */
  read(start: number, end: number): Uint8Array<ArrayBuffer>;
}

/** Several pieces as one. */
export function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Bytes that are already there. */
export function literal(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** `pattern` laid out as often as makes `length` bytes or more. */
export function layOut(pattern: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  const turns = Math.ceil(length / pattern.length);
  return concatenate(Array.from({ length: turns }, () => pattern));
}

/**
 * `turn` bytes over and over, cut off after `length` bytes. They are given as `pattern`, laid out once
 * or more often: what fits into it is not copied.
 */
export function repeated(
  pattern: Uint8Array<ArrayBuffer>,
  length: number,
  turn: number = pattern.length,
): ByteSource {
  return {
    length,
    read(start, end) {
      const first = start % turn;
      if (first + end - start <= pattern.length) {
        return pattern.subarray(first, first + end - start);
      }
      const target = new Uint8Array(end - start);
      for (let at = start; at < end; ) {
        const from = at % turn;
        const piece = pattern.subarray(from, Math.min(pattern.length, from + end - at));
        target.set(piece, at - start);
        at += piece.length;
      }
      return target;
    },
  };
}

/** `count` entries of one size, each computed from its index. */
export function table(
  count: number,
  entry: (index: number) => Uint8Array<ArrayBuffer>,
): ByteSource {
  const size = count > 0 ? entry(0).length : 0;
  return {
    length: count * size,
    read(start, end) {
      if (start === end) return new Uint8Array(0);
      const first = Math.floor(start / size);
      const last = Math.ceil(end / size);
      const whole = new Uint8Array((last - first) * size);
      for (let index = first; index < last; index++)
        whole.set(entry(index), (index - first) * size);
      return whole.subarray(start - first * size, end - first * size);
    },
  };
}

/** One source after another. */
export function joined(parts: readonly ByteSource[]): ByteSource {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    length,
    read(start, end) {
      let partStart = 0;
      for (const part of parts) {
        if (partStart <= start && end <= partStart + part.length) {
          return part.read(start - partStart, end - partStart);
        }
        partStart += part.length;
      }
      const target = new Uint8Array(end - start);
      partStart = 0;
      for (const part of parts) {
        const from = Math.max(start, partStart);
        const to = Math.min(end, partStart + part.length);
        if (from < to) target.set(part.read(from - partStart, to - partStart), from - start);
        partStart += part.length;
      }
      return target;
    },
  };
}

/** All the bytes at once; for sources that are known to be small. */
export function readAll(source: ByteSource): Uint8Array<ArrayBuffer> {
  return source.read(0, source.length);
}

const chunkSize = 64 * 1024;

/** The bytes from `start` up to, but without, `end`, computed a chunk at a time as they are taken. */
export function byteStream(
  source: ByteSource,
  start: number,
  end: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = start;
  return new ReadableStream(
    {
      pull(controller) {
        const next = Math.min(at + chunkSize, end);
        if (at < next) controller.enqueue(source.read(at, next));
        at = next;
        if (at === end) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
