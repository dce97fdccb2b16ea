import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Report } from '../conformance/model/report.ts';
import { whyNoBadge } from '../conformance/report/badge.ts';
import { rendererFor } from '../conformance/report/render.ts';
import { ArgumentError, messageOf } from './options.ts';
import type { Output } from './process.ts';

/** The name of a report, refused before a long run where it has no known format. @throws ArgumentError */
export function reportFile(file: string): string {
  try {
    rendererFor(file);
  } catch (error) {
    throw new ArgumentError((error as Error).message);
  }
  return outputFile(file);
}

/** The name of a file to write, refused before a long run where its folder does not exist. @throws ArgumentError */
export function outputFile(file: string): string {
  const folder = dirname(file);
  if (existsSync(folder)) return file;
  throw new ArgumentError(`${file}: the folder ${folder} does not exist; make it first`);
}

/** Writes a file. @throws ArgumentError for one that cannot be written */
export async function writeOutput(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(explainAs(file));
}

function explainAs(file: string): (error: Error) => never {
  return (error) => {
    throw new ArgumentError(`cannot write ${file}: ${error.message}`);
  };
}

/**
 * Writes a report in the format that each file name asks for. Only a conformant target gets a badge;
 * for another one, a badge from an earlier run is deleted. Says on `stderr` what is written, unless `quiet`.
 * @throws ArgumentError for a file that cannot be written.
 */
export async function writeReports(
  report: Report,
  files: readonly string[],
  stderr: Output,
  quiet = false,
): Promise<void> {
  for (const file of files) {
    const reason = file.toLowerCase().endsWith('.svg') ? whyNoBadge(report) : undefined;
    if (reason === undefined) {
      await writeOutput(file, rendererFor(file)(report));
      if (!quiet) stderr.write(`wrote ${file}\n`);
    } else {
      await rm(file, { force: true }).catch(explainAs(file));
      stderr.write(`${file} is not written, as only a conformant target gets a badge: ${reason}\n`);
    }
  }
}

/** Why a file could not be read, in words. */
export function whyUnread(error: NodeJS.ErrnoException): string {
  return reasons[error.code ?? ''] ?? messageOf(error);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a folder; name a file in it',
  EACCES: 'this user may not read it',
};

/** Reads what a file holds. @throws Error which names it, in one sentence */
export function fileOf<Value>(parse: (text: string) => Value): (file: string) => Promise<Value> {
  return async (file) => {
    try {
      return parse(await readFile(file, 'utf8'));
    } catch (error) {
      throw new Error(`${file}: ${whyUnread(error as Error)}`);
    }
  };
}

/** As `read` does it, beside the name of the file. */
export function named<Value>(read: (file: string) => Promise<Value>) {
  return async (file: string) => ({ file, content: await read(file) });
}
