import { fileURLToPath } from 'node:url';
import type { BenchRun } from './bench-run.ts';
import type { DoorTimes } from './doors-process.ts';
import type { Findings } from './findings.ts';
import { runProgram } from './processes.ts';
import { figureText } from './targets.ts';

const mostOfBare = 1.3;

/** What a call takes through MSW, beside a handler of MSW that answers the same bytes. */
export async function measureDoors({ extent, sample, say }: BenchRun): Promise<Findings> {
  say('doors: MSW in a process of its own');
  const script = fileURLToPath(new URL('doors-process.ts', import.meta.url));
  const args = ['--import', 'tsx', script, sample.folder, String(extent.requests)];
  const times: DoorTimes[] = JSON.parse(await runProgram(process.execPath, args));
  return {
    title: 'MSW in Node, median ms of a call',
    tables: [
      {
        head: ['', 'livestream-mock/msw', 'bare handler', 'ratio'],
        rows: times.map(({ operation, door, bare }) => [
          operation,
          door.toFixed(3),
          bare.toFixed(3),
          `${figureText(door / bare)} ×`,
        ]),
      },
    ],
    targets: times.map(({ operation, door, bare }) => ({
      title: `${operation} through MSW, beside a bare handler`,
      figure: door / bare,
      bound: { atMost: mostOfBare },
      unit: '×',
    })),
    notes: ['The bare handler sends the same bytes, ready-made.'],
  };
}
