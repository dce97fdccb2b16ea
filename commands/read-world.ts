import { readFile } from 'node:fs/promises';
import { type WorldName, worldNames } from '../fixtures/worlds.ts';
import { type ExportedState, readStateLines } from '../mocks/service/exported-state.ts';
import { messageOf } from './read-arguments.ts';

/** Reads the name of a world, or an exported state from a file. */
export async function readWorld(value: string): Promise<WorldName | ExportedState> {
  const name = worldNames.find((worldName) => worldName === value);
  if (name !== undefined) return name;
  try {
    return readStateLines(await readFile(value));
  } catch (exception) {
    const expected = `one of ${worldNames.join(', ')}, or a file with an exported state`;
    throw new Error(`expected ${expected}; ${value}: ${messageOf(exception)}`);
  }
}
