import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRun } from './bench-run.ts';
import type { Findings } from './findings.ts';
import { program } from './ours.ts';
import { runProgram } from './processes.ts';
import { median } from './statistics.ts';
import { figureText } from './targets.ts';

const mostSeconds = 2;

interface Report {
  readonly results: readonly { readonly id: string; readonly duration: number }[];
}

/** How long the suite takes to judge the mock, as a process of its own, and each of its checks. */
export async function measureCheck({ extent, sample, say }: BenchRun): Promise<Findings> {
  say('check: the suite, judging the mock');
  const file = join(sample.folder, 'report.json');
  const times: number[] = [];
  for (let round = 0; round < extent.rounds; round += 1) {
    const before = performance.now();
    await runProgram(process.execPath, [program, 'check', '--mock', '--report', file]);
    times.push(performance.now() - before);
  }
  const { results }: Report = JSON.parse(readFileSync(file, 'utf8'));
  const seconds = median(times) / 1000;
  return {
    title: 'The suite',
    tables: [{ head: ['', 's'], rows: [['check --mock', figureText(seconds)]] }],
    details: [
      {
        head: ['Check', 'ms'],
        rows: [...results]
          .sort((left, right) => right.duration - left.duration)
          .map(({ id, duration }) => [id, figureText(duration)]),
      },
    ],
    targets: [
      { title: 'check --mock', figure: seconds, bound: { atMost: mostSeconds }, unit: 's' },
    ],
    notes: [],
  };
}
