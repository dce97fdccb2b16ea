import type { Report } from '../conformance/model/report.ts';
import { parseReport } from '../conformance/report/json.ts';
import { ArgumentError } from './arguments.ts';
import type { CommandProcess } from './process.ts';
import { readText, requireReportFiles, writeReports } from './report-files.ts';

/** `livestream-mock render`: renders a JSON report in other formats. @throws ArgumentError */
export async function renderCommand(
  [source, ...files]: string[],
  { stderr }: CommandProcess,
): Promise<number> {
  if (source === undefined || files.length === 0) {
    throw new ArgumentError('arguments: expected a JSON report and at least one file to write');
  }
  requireReportFiles(files);
  await writeReports(await readReport(source), files, stderr);
  return 0;
}

async function readReport(file: string): Promise<Report> {
  try {
    return parseReport(await readText(file));
  } catch (error) {
    throw new ArgumentError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
