import { parseReport } from '../conformance/report/json.ts';
import { fileOf, reportFile, writeReports } from './files.ts';
import { ArgumentError } from './options.ts';
import type { Command } from './process.ts';

const readReport = fileOf(parseReport);

/** `livestream-mock render`: renders a JSON report in other formats. */
export const renderCommand: Command = {
  synopsis: 'render REPORT.json FILE...',
  options: {},
  notes: `  Writes a report in other formats, chosen by the file names:
  .json .xml .html .md .svg`,
  async run([source, ...files], { stderr }) {
    if (source === undefined || files.length === 0) {
      throw new ArgumentError('arguments: expected a JSON report and at least one file to write');
    }
    for (const file of files) reportFile(file);
    const report = await readReport(source).catch(({ message }: Error) => {
      throw new ArgumentError(message);
    });
    await writeReports(report, files, stderr);
    return 0;
  },
};
