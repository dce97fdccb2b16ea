import { rm, writeFile } from 'node:fs/promises';
import type { Report } from '../conformance/model/report.ts';
import { deservesBadge } from '../conformance/report/badge.ts';
import { rendererFor } from '../conformance/report/render.ts';
import { headline } from '../conformance/report/text/wording.ts';
import { ArgumentError } from './arguments.ts';

/** Refuses a file name that no report format has, before a long run. @throws ArgumentError */
export function requireReportNames(files: readonly string[]): void {
  for (const file of files) {
    try {
      rendererFor(file);
    } catch (error) {
      throw new ArgumentError(`report: ${(error as Error).message}`);
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
      if (file.toLowerCase().endsWith('.svg') && !deservesBadge(report)) {
        await rm(file, { force: true });
        process.stderr.write(`no badge ${file}: ${headline(report)}\n`);
      } else {
        await writeFile(file, rendererFor(file)(report));
      }
    } catch (error) {
      throw new ArgumentError(`report: cannot write ${file}: ${(error as Error).message}`);
    }
  }
}
