import type { BenchRun } from './bench-run.ts';
import { bare, ours } from './contestants.ts';
import type { Findings } from './findings.ts';
import { loadMedia } from './load.ts';
import { measureRates } from './rates.ts';
import { figureText } from './targets.ts';

const operations = ['segment', 'range'] as const;
const leastOfBare = 0.5;

const oneSegment =
  'A segment lasts 3.2 s, as all of them do here. json-server and Mockoon send files, the others bytes from memory.';

/** How many bytes of media a second, beside a buffer that node:http sends. */
export async function measureMedia(run: BenchRun): Promise<Findings> {
  const contestants = [ours, bare, ...run.peers].filter(
    ({ works }) => works(run.sample).segment !== undefined,
  );
  const rates = await measureRates(run, contestants, operations, loadMedia);
  const kilobytes = Math.round(run.sample.bytes.segment / 1000);
  return {
    title: 'Media, MB a second',
    tables: [
      {
        head: ['32 connections', `a segment (3.2 s, ${kilobytes} kB)`, 'a range (1 MB)'],
        rows: [ours, bare, ...run.peers].map((contestant) => [
          contestant.name,
          ...operations.map((operation) => {
            const rate = rates.of(contestant, operation);
            return rate === undefined
              ? '–'
              : figureText((rate * run.sample.bytes[operation]) / 1e6);
          }),
        ]),
      },
    ],
    targets: operations.flatMap((operation) => {
      const own = rates.of(ours, operation);
      const limit = rates.of(bare, operation);
      if (own === undefined || limit === undefined) return [];
      const title = `${operation}, beside node:http`;
      return [{ title, figure: own / limit, bound: { atLeast: leastOfBare }, unit: '×' }];
    }),
    notes: [oneSegment, ...rates.failures],
  };
}
