import { fileURLToPath } from 'node:url';
import type { BenchRun } from '../measure/run.ts';
import { runProgram } from '../measure/processes.ts';
import { atMost, type Findings, figureText } from '../measure/results.ts';
import type { CallTimes } from './integrations-process.ts';

/** What a call takes through MSW, beside a handler of MSW that sends the same bytes. */
export async function measureIntegrations({ extent, sample, say }: BenchRun): Promise<Findings> {
  say('integrations: MSW in a process of its own');
  const script = fileURLToPath(new URL('integrations-process.ts', import.meta.url));
  const args = ['--import', 'tsx', script, sample.folder, String(extent.requests)];
  const times: CallTimes[] = JSON.parse(await runProgram(process.execPath, args));
  return {
    title: 'MSW in Node, median ms of a call',
    tables: [
      {
        head: ['', 'livestream-mock/msw', 'bare handler', 'ratio'],
        rows: times.map(({ operation, ours, bare }) => [
          operation,
          ours.toFixed(3),
          bare.toFixed(3),
          `${figureText(ours / bare)} ×`,
        ]),
      },
    ],
    targets: times.map(({ operation, ours, bare }) =>
      atMost(1.3, `${operation} through MSW, beside a bare handler`, ours / bare),
    ),
    notes: ['The bare handler sends the same bytes, ready-made.'],
  };
}
