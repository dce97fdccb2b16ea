import type { Bytes } from '../messages/response.ts';
import { type ByteSource, joinedSource } from './bytes.ts';

type BoxPart = ByteSource | Bytes;

/** An ISO base media box: size, four-character type, content (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...content: readonly BoxPart[]): ByteSource {
  const size = content.reduce((sum, { length }) => sum + length, 8);
  return joinedSource([uint32(size), ascii(type), ...content]);
}

/** A box with a version and flags, which are one and three bytes (ISO/IEC 14496-12, 4.2). */
export function fullBox(type: string, flags: number, ...content: readonly BoxPart[]): ByteSource {
  return box(type, uint32(flags), ...content);
}

/** Version 1 of a {@link fullBox}, whose times and durations have 64 bits. */
export const version1: number = 2 ** 24;

/** Big-endian 16-bit numbers. */
export function uint16(...values: readonly number[]): Bytes {
  return numbers(2, values, (view, at, value) => view.setUint16(at, value));
}

/** Big-endian 32-bit numbers. */
export function uint32(...values: readonly number[]): Bytes {
  return numbers(4, values, (view, at, value) => view.setUint32(at, value));
}

/** Big-endian 64-bit numbers, each a safe integer. */
export function uint64(...values: readonly number[]): Bytes {
  return numbers(8, values, (view, at, value) => view.setBigUint64(at, BigInt(value)));
}

/** The codes of the characters. */
export function ascii(text: string): Bytes {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** `count` zero bytes. */
export function zeros(count: number): Bytes {
  return new Uint8Array(count);
}

function numbers(
  size: number,
  values: readonly number[],
  write: (view: DataView, at: number, value: number) => void,
): Bytes {
  const target = new Uint8Array(values.length * size);
  const view = new DataView(target.buffer);
  values.forEach((value, index) => {
    write(view, index * size, value);
  });
  return target;
}
