import type { BenchRun } from '../measure/run.ts';
import { loadMedia, measureRates } from '../measure/load.ts';
import { atLeast, type Findings, figureText } from '../measure/results.ts';
import { bare, ours } from '../measure/servers.ts';

const operations = ['segment', 'range'] as const;
const leastOfBare = 0.5;

const oneSegment =
  'A segment lasts 3.2 s, as all of them do here. json-server and Mockoon send files, the others bytes from memory.';

/** How many bytes of media a second, beside a buffer that node:http sends. */
export async function measureMedia(run: BenchRun): Promise<Findings> {
  const servers = [ours, bare, ...run.peers];
  const rates = await measureRates(run, servers, operations, loadMedia);
  const bytesOf = (operation: string): number =>
    run.sample.canned.find((canned) => canned.operation === operation)?.bytes ?? Number.NaN;
  const kilobytes = Math.round(bytesOf('segment') / 1000);
  return {
    title: 'Media, MB a second',
    tables: [
      {
        head: ['32 connections', `a segment (3.2 s, ${kilobytes} kB)`, 'a range (1 MB)'],
        rows: servers.map((server) => [
          server.name,
          ...operations.map((operation) => {
            const rate = rates.of(server, operation);
            return rate === undefined ? '–' : figureText((rate * bytesOf(operation)) / 1e6);
          }),
        ]),
      },
    ],
    targets: operations.map((operation) => {
      const own = rates.of(ours, operation) ?? Number.NaN;
      const limit = rates.of(bare, operation) ?? Number.NaN;
      return atLeast(leastOfBare, `${operation}, beside node:http`, own / limit);
    }),
    notes: [oneSegment, ...rates.failures],
  };
}
