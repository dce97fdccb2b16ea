import { crc32 } from 'node:zlib';
import type { Change } from '../state/change.ts';

/** A change, and the name of its world. */
export interface NamedChange {
  readonly world: string;
  readonly change: Change;
}

/** Writes a change of a world as a line of JSON. */
export function changeLine(world: string, change: Change): string {
  return seal({ world, change });
}

/** Reads a line that {@link changeLine} made; `undefined` if it is damaged. */
export function readChangeLine(line: string): NamedChange | undefined {
  const expectedSeal = sealOf(line.slice(0, -sealLength));
  return line.endsWith(expectedSeal) ? JSON.parse(line) : undefined;
}

/** Writes an object as a line of JSON, with a checksum as its last key. */
export function seal(value: object): string {
  const json = JSON.stringify(value).slice(0, -1);
  return `${json}${sealOf(json)}\n`;
}

function sealOf(json: string): string {
  return `,"crc32":"${crc32(json).toString(16).padStart(8, '0')}"}`;
}

const sealLength = sealOf('').length;
