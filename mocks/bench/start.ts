import type { BenchRun } from './bench-run.ts';
import { type Contestant, startContestant } from './contestant.ts';
import { bare, ours } from './contestants.ts';
import type { Findings } from './findings.ts';
import { interleaved } from './statistics.ts';
import { figureText } from './targets.ts';

const mostOfBare = 3;

/** From spawn to the end of the first answer. */
export async function measureStart({ extent, sample, peers, say }: BenchRun): Promise<Findings> {
  const notes: string[] = [];
  const contestants: Contestant[] = [];
  for (const contestant of [ours, bare, ...peers]) {
    try {
      // The first start, which reads its files from disk, is not counted.
      await startOnce(contestant);
      contestants.push(contestant);
    } catch (error) {
      notes.push(`${contestant.name}: ${(error as Error).message}`);
    }
  }
  say(`start: ${extent.starts} times each`);
  const times = await interleaved(contestants, extent.starts, startOnce);

  async function startOnce(contestant: Contestant): Promise<number> {
    const server = await startContestant(contestant, sample);
    await server.stop();
    return server.startedIn;
  }

  const time = (contestant: Contestant): number => times.get(contestant) ?? Number.NaN;
  const fastest = Math.min(...peers.filter((peer) => times.has(peer)).map(time));
  return {
    title: 'Start, from spawn to the first answer',
    tables: [
      {
        head: ['', 'ms', 'of node:http'],
        rows: contestants.map((contestant) => [
          contestant.name,
          figureText(time(contestant)),
          `${figureText(time(contestant) / time(bare))} ×`,
        ]),
      },
    ],
    targets: [
      {
        title: 'start, beside node:http',
        figure: time(ours) / time(bare),
        bound: { atMost: mostOfBare },
        unit: '×',
      },
      ...(Number.isFinite(fastest)
        ? [
            {
              title: 'start, beside the fastest peer',
              figure: time(ours) / fastest,
              bound: { atMost: 1 },
              unit: '×',
            },
          ]
        : []),
    ],
    notes,
  };
}
