import type { Bytes } from '../messages/response.ts';

/** Bytes that are computed when they are read, so that a file of any length takes up no memory. */
export interface ByteSource {
  readonly length: number;
  /** The bytes from `start` up to but not including `end`. Both must be within the length. */
  read(start: number, end: number): Bytes;
}

/** Copies pieces into one. */
export function concatenate(pieces: readonly Uint8Array[]): Bytes {
  const target = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    target.set(piece, at);
    at += piece.length;
  }
  return target;
}

/** A source of bytes in memory. */
export function literalSource(bytes: Bytes): ByteSource {
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** A source that repeats `pattern` up to `length` bytes. A range within one repetition is a view, not a copy. */
export function repeatedSource(pattern: Bytes, length: number): ByteSource {
  return {
    length,
    read(start, end) {
      const first = start % pattern.length;
      if (first + end - start <= pattern.length) {
        return pattern.subarray(first, first + end - start);
      }
      const target = new Uint8Array(end - start);
      for (let at = start; at < end; ) {
        const from = at % pattern.length;
        const piece = pattern.subarray(from, Math.min(pattern.length, from + end - at));
        target.set(piece, at - start);
        at += piece.length;
      }
      return target;
    },
  };
}

/** A source of `count` entries of one size, each computed from its index. */
export function tableSource(count: number, entry: (index: number) => Bytes): ByteSource {
  const size = count > 0 ? entry(0).length : 0;
  return {
    length: count * size,
    read(start, end) {
      if (start === end) return new Uint8Array(0);
      const first = Math.floor(start / size);
      const last = Math.ceil(end / size);
      const entries = new Uint8Array((last - first) * size);
      for (let index = first; index < last; index++)
        entries.set(entry(index), (index - first) * size);
      return entries.subarray(start - first * size, end - first * size);
    },
  };
}

/** Several sources, one after another. */
export function joinedSource(parts: readonly (ByteSource | Bytes)[]): ByteSource {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return {
    length,
    read(start, end) {
      const pieces: Bytes[] = [];
      let partStart = 0;
      for (const part of parts) {
        const from = Math.max(start, partStart) - partStart;
        const to = Math.min(end - partStart, part.length);
        if (from < to) pieces.push('read' in part ? part.read(from, to) : part.subarray(from, to));
        partStart += part.length;
      }
      const [first] = pieces;
      return first !== undefined && pieces.length === 1 ? first : concatenate(pieces);
    },
  };
}

/** All bytes at once, for sources that are known to be small. */
export function readAll(source: ByteSource): Bytes {
  return source.read(0, source.length);
}

/** Makes a function that remembers at most `limit` sources, each fully determined by its key. */
export function createSourceCache(
  limit: number,
): (key: string, make: () => ByteSource) => ByteSource {
  const sources = new Map<string, ByteSource>();
  return (key, make) => {
    const remembered = sources.get(key);
    if (remembered !== undefined) return remembered;
    if (sources.size >= limit) sources.clear();
    const source = make();
    sources.set(key, source);
    return source;
  };
}

const chunkSize = 64 * 1024;

/** Streams the bytes from `start` up to but not including `end`, computing each chunk when it is read. */
export function byteStream(source: ByteSource, start: number, end: number): ReadableStream<Bytes> {
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
