import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bundledDialect, bundledDialectNames } from '../interface/dialect/bundled-dialects.ts';
import { currentDialect, type Dialect, dialectSchema } from '../interface/dialect/dialect.ts';
import { combineDialects } from '../interface/dialect/merge-dialects.ts';
import { validate } from '../mocks/messages/validate.ts';
import { orNearest } from '../text/nearest-name.ts';
import { parseReviewedJson } from '../text/reviewed-file.ts';
import { decodeUtf8 } from '../text/text-bytes.ts';
import type { Output } from './process.ts';
import { ArgumentError, messageOf } from './read-arguments.ts';

/** Reads the name of a report. It refuses an unknown format or a missing folder before a long run begins. */
export function reportFile<Report>(rendererFor: (file: string) => (report: Report) => string) {
  return (file: string) => ({ render: rendererFor(file), file: outputFile(file) });
}

/** Reads the name of a file to write. @throws ArgumentError if its folder does not exist. */
export function outputFile(file: string): string {
  const folder = dirname(file);
  if (existsSync(folder)) return file;
  throw new ArgumentError(`${file}: the folder ${folder} does not exist; make it first`);
}

/** Writes a file. @throws ArgumentError if it cannot be written. */
export async function writeOutput(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(({ message }: Error) => {
    throw new ArgumentError(`cannot write ${file}: ${message}`);
  });
}

/** Writes reports, and names each on `stderr`. @throws ArgumentError if one cannot be written. */
export async function writeReports<Report>(
  reports: readonly { file: string; render: (report: Report) => string }[] | undefined,
  report: Report,
  stderr: Output,
): Promise<void> {
  for (const { file, render } of reports ?? []) {
    await writeOutput(file, render(report));
    stderr.write(`wrote ${file}\n`);
  }
}

/** Reads and parses a file. @throws Error with one sentence that names the file. */
export function fileOf<Value>(parse: (text: string) => Value): (file: string) => Promise<Value> {
  return async (file) => {
    try {
      return parse(decodeUtf8(await readFile(file)));
    } catch (exception) {
      throw new Error(`${file}: ${messageOf(exception)}`);
    }
  };
}

/** What `read` returns, together with the name of the file. */
export function withName<Value>(read: (file: string) => Promise<Value>) {
  return async (file: string) => ({ file, content: await read(file) });
}

const readDialectFile = fileOf((text) =>
  currentDialect(validate(dialectSchema, parseReviewedJson(text))),
);

/**
 * Reads a dialect: a bundled one by its name, or a file. Several, joined by `+`, make one dialect. Where
 * two of them say something, the later one wins.
 * @throws Error that names the file, and the entry that is wrong.
 */
export async function readDialect(given: string): Promise<Dialect> {
  const files = existsSync(given) ? [given] : given.split('+');
  return combineDialects(await Promise.all(files.map(readOneDialect)));
}

async function readOneDialect(file: string): Promise<Dialect> {
  const bundled = bundledDialect(file);
  if (bundled !== undefined || existsSync(file)) return bundled ?? readDialectFile(file);
  const names = bundledDialectNames;
  throw new Error(
    `${file}: expected a file, or a bundled dialect (${names.join(', ')})${orNearest(file, names)}, got neither`,
  );
}

/** {@link readDialect}, with the name that it was given. */
export const readNamedDialect = withName(readDialect);
