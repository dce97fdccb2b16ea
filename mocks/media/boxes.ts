import { type ByteSource, concatenate, joined, literal } from './bytes.ts';

/** An ISO base media box: size, four-character type, content (ISO/IEC 14496-12, 4.2). */
export function box(type: string, ...content: readonly ByteSource[]): ByteSource {
  const body = joined(content);
  return joined([bytes(uint32(8 + body.length), ascii(type)), body]);
}

/** A box with a version and flags (ISO/IEC 14496-12, 4.2). */
export function fullBox(
  type: string,
  version: number,
  flags: number,
  ...content: readonly ByteSource[]
): ByteSource {
  return box(type, bytes(uint32(version * 2 ** 24 + flags)), ...content);
}

/** One literal source of several pieces. */
export function bytes(...pieces: readonly Uint8Array<ArrayBuffer>[]): ByteSource {
  return literal(concatenate(pieces));
}

/** 8-bit numbers. */
export function uint8(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(values);
}

/** Big-endian 16-bit numbers. */
export function uint16(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return numbers(2, values, (view, at, value) => view.setUint16(at, value));
}

/** Big-endian 32-bit numbers. */
export function uint32(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return numbers(4, values, (view, at, value) => view.setUint32(at, value));
}

/** Big-endian 64-bit numbers, each a safe integer. */
export function uint64(...values: readonly number[]): Uint8Array<ArrayBuffer> {
  return numbers(8, values, (view, at, value) => view.setBigUint64(at, BigInt(value)));
}

/** The characters' codes. */
export function ascii(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** `count` zero bytes. */
export function zeros(count: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(count);
}

function numbers(
  size: number,
  values: readonly number[],
  write: (view: DataView, at: number, value: number) => void,
): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(values.length * size);
  const view = new DataView(target.buffer);
  values.forEach((value, index) => {
    write(view, index * size, value);
  });
  return target;
}
