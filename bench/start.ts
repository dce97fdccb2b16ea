import type { BenchRun } from './bench-run.ts';
import { type Contestant, startContestant } from './contestant.ts';
import { bare, ours } from './contestants.ts';
import type { Findings } from './findings.ts';
import { interleaved } from './statistics.ts';
import { figureText, type Target } from './targets.ts';

const mostOfBare = 3;

/** From spawn to the end of the first answer. */
export async function measureStart({ extent, sample, peers, say }: BenchRun): Promise<Findings> {
  const startOnce = async (contestant: Contestant): Promise<number> => {
    const server = await startContestant(contestant, sample);
    await server.stop();
    return server.startedIn;
  };
  const notes = ['livestream-mock makes its demo world, of six streams.'];
  const contestants: Contestant[] = [];
  for (const contestant of [ours, bare, ...peers]) {
    // This first start, which reads its files from disk, is not counted.
    await startOnce(contestant).then(
      () => contestants.push(contestant),
      (error: Error) => notes.push(`${contestant.name}: ${error.message}`),
    );
  }
  say(`start: ${extent.starts} times each`);
  const times = await interleaved(contestants, extent.starts, startOnce);
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
      atMost('start, beside node:http', time(ours) / time(bare), mostOfBare),
      ...(Number.isFinite(fastest)
        ? [atMost('start, beside the fastest peer', time(ours) / fastest, 1)]
        : []),
    ],
    notes,
  };
}

function atMost(title: string, figure: number, bound: number): Target {
  return { title, figure, bound: { atMost: bound }, unit: '×' };
}
