import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { parseJson } from '../parse-json.ts';
import { Problem } from '../problem.ts';
import { validate } from '../validate.ts';
import { readSavedWorld } from './store.ts';

const fileSchema = z.strictObject(
  {
    version: z.literal(1, '1'),
    worlds: z.record(z.string(), z.unknown(), 'an object of worlds'),
  },
  'an object with the keys version and worlds',
);

/**
 * The worlds in a file that a mock has written, each as JSON, by name; none where there is no file.
 * @throws RangeError, which says where the file is at fault; Error as Node's `readFile` does.
 */
export async function readWorldsFile(file: string): Promise<Map<string, string>> {
  const text = await readText(file);
  if (text === undefined) return new Map();
  try {
    const { worlds } = validate(fileSchema, parseJson(text));
    return new Map(Object.entries(worlds).map(([name, world]) => [name, check(name, world)]));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new RangeError(
      `data: ${file}: ${error.texts[0]}; give another file, or move this one away to start afresh`,
    );
  }
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function check(name: string, world: unknown): string {
  try {
    return JSON.stringify(readSavedWorld(world));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(422, `worlds[${JSON.stringify(name)}]: ${error.texts[0]}`);
  }
}
