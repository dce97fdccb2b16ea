import type { ByteSource } from './bytes.ts';

/** Where a box lies in a file. */
export interface FoundBox {
  readonly type: string;
  readonly start: number;
  /** Where its content begins. */
  readonly content: number;
  readonly end: number;
}

/** The boxes from `start` to `end`, one after another. */
export function boxesIn(source: ByteSource, start = 0, end: number = source.length): FoundBox[] {
  const boxes: FoundBox[] = [];
  for (let at = start; at < end; ) {
    const found = boxAt(source, at);
    boxes.push(found);
    at = found.end;
  }
  return boxes;
}

/** The first box on a path of types, such as `moov`, `mvhd`. */
export function findBox(source: ByteSource, ...path: readonly string[]): FoundBox {
  let found: FoundBox = { type: 'file', start: 0, content: 0, end: source.length };
  for (const type of path) {
    const inside = boxesIn(source, found.content, found.end);
    const next = inside.find((candidate) => candidate.type === type);
    if (next === undefined) throw new Error(`there is no ${type} in ${found.type}`);
    found = next;
  }
  return found;
}

/** A view of a box's content. */
export function viewBox(source: ByteSource, { content, end }: FoundBox): DataView {
  return new DataView(Uint8Array.from(source.read(content, end)).buffer);
}

function boxAt(source: ByteSource, at: number): FoundBox {
  const view = new DataView(Uint8Array.from(source.read(at, at + 16)).buffer);
  const size = view.getUint32(0);
  const isLarge = size === 1;
  return {
    type: String.fromCharCode(...source.read(at + 4, at + 8)),
    start: at,
    content: at + (isLarge ? 16 : 8),
    end: at + (isLarge ? Number(view.getBigUint64(8)) : size),
  };
}
