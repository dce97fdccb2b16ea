import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Report } from '../conformance/model/report.ts';
import { whyNoBadge } from '../conformance/report/badge.ts';
import { rendererFor } from '../conformance/report/render.ts';
import { ArgumentError } from './arguments.ts';
import type { Output } from './process.ts';

/**
 * Refuses a file name that no report format has and a folder that does not exist, before a long run.
 * @throws ArgumentError
 */
export function requireReportFiles(files: readonly string[]): void {
  for (const file of files) {
    try {
      rendererFor(file);
    } catch (error) {
      throw new ArgumentError(`report: ${(error as Error).message}`);
    }
    requireFolder('report', file);
  }
}

/** Refuses a file in a folder that does not exist; `what` begins the message. @throws ArgumentError */
export function requireFolder(what: string, file: string): void {
  const folder = dirname(file);
  if (existsSync(folder)) return;
  throw new ArgumentError(`${what}: ${file}: the folder ${folder} does not exist; make it first`);
}

/** Writes a file; `what` begins the message. @throws ArgumentError for one that cannot be written */
export async function writeOutput(what: string, file: string, text: string): Promise<void> {
  await writeFile(file, text).catch(explainAs(what, file));
}

function explainAs(what: string, file: string): (error: Error) => never {
  return (error) => {
    throw new ArgumentError(`${what}: cannot write ${file}: ${error.message}`);
  };
}

/**
 * Writes a report in the format that each file name asks for. Only a conformant target gets a badge;
 * for another one, a badge from an earlier run is deleted.
 * @throws ArgumentError for a file that cannot be written.
 */
export async function writeReports(
  report: Report,
  files: readonly string[],
  stderr: Output,
): Promise<void> {
  for (const file of files) {
    const reason = file.toLowerCase().endsWith('.svg') ? whyNoBadge(report) : undefined;
    if (reason === undefined) {
      await writeOutput('report', file, rendererFor(file)(report));
    } else {
      await rm(file, { force: true }).catch(explainAs('report', file));
      stderr.write(`no badge ${file}: ${reason}\n`);
    }
  }
}

/** The text of a file. @throws Error that says so where it does not exist */
export async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw code === 'ENOENT' ? new Error('the file does not exist') : error;
  }
}

/** Reads the file of an option. @throws ArgumentError which names both, in one sentence */
export async function readReviewed<Value>(
  option: string,
  file: string,
  parse: (text: string) => Value,
): Promise<Value> {
  try {
    return parse(await readText(file));
  } catch (error) {
    throw new ArgumentError(`option ${option}: ${file}: ${(error as Error).message}`);
  }
}
