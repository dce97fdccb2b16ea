import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseReviewedJson } from '../conformance/run/reviewed-file.ts';
import { bundledDialects, type Dialect, dialectSchema } from '../interface/dialect.ts';
import { validate } from '../mocks/messages/validate.ts';
import { ArgumentError, messageOf } from './options.ts';
import type { Output } from './process.ts';

/** Reads the name of a report, refused before a long run where it has no known format or its folder does not exist. */
export function reportFile(rendererFor: (file: string) => unknown): (file: string) => string {
  return (file) => {
    rendererFor(file);
    return outputFile(file);
  };
}

/** The name of a file to write, refused before a long run where its folder does not exist. @throws ArgumentError */
export function outputFile(file: string): string {
  const folder = dirname(file);
  if (existsSync(folder)) return file;
  throw new ArgumentError(`${file}: the folder ${folder} does not exist; make it first`);
}

/** Writes a file. @throws ArgumentError for one that cannot be written */
export async function writeOutput(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(({ message }: Error) => {
    throw new ArgumentError(`cannot write ${file}: ${message}`);
  });
}

/** Writes reports, and says on `stderr` which. @throws ArgumentError for one that cannot be written */
export async function writeReports(
  files: readonly string[] | undefined,
  render: (file: string) => string,
  stderr: Output,
): Promise<void> {
  for (const file of files ?? []) {
    await writeOutput(file, render(file));
    stderr.write(`wrote ${file}\n`);
  }
}

/** Reads what a file holds. @throws Error which names it, in one sentence */
export function fileOf<Value>(parse: (text: string) => Value): (file: string) => Promise<Value> {
  return async (file) => {
    try {
      return parse(await readFile(file, 'utf8'));
    } catch (error) {
      throw new Error(`${file}: ${messageOf(error)}`);
    }
  };
}

/** As `read` does it, beside the name of the file. */
export function named<Value>(read: (file: string) => Promise<Value>) {
  return async (file: string) => ({ file, content: await read(file) });
}

const readDialectFile = fileOf((text) => validate(dialectSchema, parseReviewedJson(text)));

/**
 * Reads a dialect: a bundled one by its name, or a file.
 * @throws Error that names the file, and the row that is wrong
 */
export async function readDialect(file: string): Promise<Dialect> {
  const bundled = new Map(Object.entries(bundledDialects)).get(file);
  if (bundled !== undefined || existsSync(file)) return bundled ?? readDialectFile(file);
  const names = Object.keys(bundledDialects).join(', ');
  throw new Error(`${file}: expected a file, or a bundled dialect (${names}), got neither`);
}
