import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Report } from '../conformance/model/report.ts';
import { whyNoBadge } from '../conformance/report/badge.ts';
import { rendererFor } from '../conformance/report/render.ts';
import { ArgumentError } from './arguments.ts';

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
    const folder = dirname(file);
    if (!existsSync(folder)) {
      throw new ArgumentError(
        `report: ${file}: the folder ${folder} does not exist; make it first`,
      );
    }
  }
}

/**
 * Writes a report in the format that each file name asks for. Only a conformant target gets a badge;
 * for another one, a badge from an earlier run is deleted.
 * @throws ArgumentError for a file that cannot be written.
 */
export async function writeReports(report: Report, files: readonly string[]): Promise<void> {
  for (const file of files) {
    try {
      const reason = file.toLowerCase().endsWith('.svg') ? whyNoBadge(report) : undefined;
      if (reason !== undefined) {
        await rm(file, { force: true });
        process.stderr.write(`no badge ${file}: ${reason}\n`);
      } else {
        await writeFile(file, rendererFor(file)(report));
      }
    } catch (error) {
      throw new ArgumentError(`report: cannot write ${file}: ${(error as Error).message}`);
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
