import { crc32 } from 'node:zlib';
import { isObject } from '../../interface/json.ts';
import type { Change } from '../state/change.ts';

/** A change, and the name of its world. */
export interface NamedChange {
  readonly world: string;
  readonly change: Change;
}

/** What is wrong with a line, apart from its number. */
export type LineFault = 'damaged' | 'displaced';

/** The checksum that the first line has as `after` if nothing comes before it. */
export const beginning = '00000000';

/**
 * Writes changes of a world as lines of JSON. Each line has the checksum of the one before it as its key `after`, so
 * that a line which is missing, repeated or moved is noticed; `after` is that of the last line so far. Returns the
 * lines, and the checksum of the last one.
 */
export function changeLines(world: string, changes: readonly Change[], after: string) {
  let last = after;
  const lines = changes.map((change) => {
    const line = seal({ after: last, world, change });
    last = checksumOf(line);
    return line;
  });
  return { lines, last };
}

/** Reads lines one after the other. */
export type LineReader = ReturnType<typeof createLineReader>;

/**
 * Reads lines that {@link changeLines} made, without their line breaks, one after the other. The first one follows the
 * line with the checksum `after`. Lines of older versions lack the key; unless `isChained`, they may come first.
 */
export function createLineReader(after: string, isChained: boolean) {
  let last = after;
  let mustFollow = isChained;
  return {
    read(line: string): NamedChange | LineFault {
      const sealed = unseal(line);
      if (sealed === undefined) return 'damaged';
      const { after: previous, world, change } = sealed;
      if (previous === undefined ? mustFollow : previous !== last) return 'displaced';
      if (typeof world !== 'string' || !isChange(change)) return 'damaged';
      mustFollow = previous !== undefined;
      last = checksumOf(line);
      return { world, change };
    },
    /** The checksum of the last line. */
    last: () => last,
  };
}

/** Whether a value looks like a change. Whoever opens its world checks the rest. */
function isChange(value: unknown): value is Change {
  return isObject(value) && typeof value['at'] === 'number';
}

/** Writes an object as a line of JSON, with a checksum as its last key. */
export function seal(value: object): string {
  const json = JSON.stringify(value).slice(0, -1);
  return `${json}${sealOf(json)}\n`;
}

/** The object in a line that {@link seal} made; `undefined` if the line is damaged. */
function unseal(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.endsWith(sealOf(line.slice(0, -sealLength)))) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The checksum in a line that {@link seal} made. */
export function checksumOf(line: string): string {
  return line.trimEnd().slice(-2 - beginning.length, -2);
}

function sealOf(json: string): string {
  return `,"crc32":"${crc32(json).toString(16).padStart(8, '0')}"}`;
}

const sealLength = sealOf('').length;
