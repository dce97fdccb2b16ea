import type { BenchRun } from '../measure/run.ts';
import { atMost, type Findings, figureText } from '../measure/results.ts';
import { bare, type MeasuredServer, ours, startMeasured } from '../measure/servers.ts';
import { interleaved } from '../measure/statistics.ts';

/** From spawn to the end of the first response. */
export async function measureStart({ extent, sample, peers, say }: BenchRun): Promise<Findings> {
  const startOnce = async (server: MeasuredServer): Promise<number> => {
    const { startedIn, stop } = await startMeasured(server, sample);
    await stop();
    return startedIn;
  };
  const notes = ['livestream-mock makes its demo world, of six streams.'];
  const servers: MeasuredServer[] = [];
  for (const server of [ours, bare, ...peers]) {
    // This first start, which reads its files from disk, is not counted.
    await startOnce(server).then(
      () => servers.push(server),
      (error: Error) => notes.push(`${server.name}: ${error.message}`),
    );
  }
  say(`start: ${extent.starts} times each`);
  const times = await interleaved(servers, extent.starts, startOnce);
  const time = (server: MeasuredServer): number => times.get(server) ?? Number.NaN;
  const fastest = Math.min(...peers.filter((peer) => times.has(peer)).map(time));
  return {
    title: 'Start, from spawn to the first response',
    tables: [
      {
        head: ['', 'ms', 'of node:http'],
        rows: servers.map((server) => [
          server.name,
          figureText(time(server)),
          `${figureText(time(server) / time(bare))} ×`,
        ]),
      },
    ],
    targets: [
      atMost(3, 'start, beside node:http', time(ours) / time(bare)),
      ...(Number.isFinite(fastest)
        ? [atMost(1, 'start, beside the fastest peer', time(ours) / fastest)]
        : []),
    ],
    notes,
  };
}
