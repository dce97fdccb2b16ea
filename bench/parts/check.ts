import type { BenchRun } from '../measure/run.ts';
import { runMock } from '../measure/processes.ts';
import { timed } from '../measure/requests.ts';
import { atMost, type Findings, figureText } from '../measure/results.ts';
import { interleaved } from '../measure/statistics.ts';

/** How long the suite takes to judge the mock, as a process of its own. */
export async function measureCheck({ extent, say }: BenchRun): Promise<Findings> {
  say('check: the suite judges the mock');
  const times = await interleaved(['check --mock'], extent.rounds, () =>
    timed(() => runMock('check', '--mock')),
  );
  const seconds = (times.get('check --mock') ?? Number.NaN) / 1000;
  return {
    title: 'The suite',
    tables: [{ head: ['', 's'], rows: [['check --mock', figureText(seconds)]] }],
    targets: [atMost(2, 'check --mock', seconds, 's')],
    notes: [],
  };
}
