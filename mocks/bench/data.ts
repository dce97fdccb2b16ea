import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchRun } from './bench-run.ts';
import { connection, expectAnswer, latency } from './client.ts';
import type { Findings } from './findings.ts';
import { serveArgs } from './ours.ts';
import { type Server, startServer } from './servers.ts';
import { interleaved } from './statistics.ts';
import type { Target } from './targets.ts';
import { get, send, type Work } from './work.ts';

const mostOfSmall = 1.3;
const mostOfBare = 2;
const mostInCompaction = 50;
const mostLoad = 2;

/** What it costs to keep every change in a file, beside a bare write and `fsync` on the same disk. */
export async function measureData({ extent, sample, say }: BenchRun): Promise<Findings> {
  const { largeStreams, requests } = extent;
  const agent = connection();
  const files = { small: join(sample.folder, 'small'), large: join(sample.folder, 'large') };
  const crowd = ['--world', 'crowded', '--streams', String(largeStreams)];
  say(`data: keeping ${largeStreams} streams`);
  const small = await serveFile(files.small);
  const large = await serveFile(files.large, ...crowd);
  const bare = await open(join(sample.folder, 'bare'), 'a');
  const works = new Map([
    [small, await recordWork(small)],
    [large, await recordWork(large)],
  ]);
  const change = (server: Server): Promise<number> =>
    latency(server.origin, works.get(server) as Work, agent);
  const line = await changeLine(files.small, () => change(small));
  say(`data: ${requests} changes of each`);
  const times = await interleaved([small, large, bare], requests, async (kept) => {
    if (kept !== bare) return change(kept as Server);
    const before = performance.now();
    await bare.appendFile(line);
    await bare.sync();
    return performance.now() - before;
  });
  await bare.close();

  say('data: changes while the file is compacted');
  const compaction = await duringCompaction(large, `${files.large}.livestream-mock.tmp`, () =>
    change(large),
  );
  await small.stop();
  await large.stop();
  say(`data: loading ${largeStreams} streams`);
  const loaded = await serveFile(files.large, ...crowd);
  await loaded.stop();
  agent.destroy();

  const time = (kept: Server | typeof bare): number => times.get(kept) ?? Number.NaN;
  const size = `${largeStreams.toLocaleString('en-GB')} streams`;
  return {
    title: 'A file that keeps every change, median ms of a change',
    tables: [
      {
        head: ['', 'ms'],
        rows: [
          ['6 streams', time(small).toFixed(3)],
          [size, time(large).toFixed(3)],
          [`bare write and fsync of ${line.length} bytes`, time(bare).toFixed(3)],
        ],
      },
    ],
    targets: [
      atMost(`a change, with ${size} beside 6`, time(large) / time(small), mostOfSmall, '×'),
      atMost('a change beside a bare write and fsync', time(large) / time(bare), mostOfBare, '×'),
      atMost('p99 of a change during compaction', percentile99(compaction), mostInCompaction, 'ms'),
      atMost(`start with a file of ${size}`, loaded.startedIn / 1000, mostLoad, 's'),
    ],
    notes: [`${compaction.length} changes came during compaction.`],
  };
}

function atMost(title: string, figure: number, bound: number, unit: string): Target {
  return { title, figure, bound: { atMost: bound }, unit };
}

/** A server that keeps its worlds in a file, once it has answered from a world. */
function serveFile(file: string, ...more: readonly string[]): Promise<Server> {
  return startServer(serveArgs('--data', file, ...more), get('/api/stream?limit=1'));
}

/** Switches the record of a stream that is not live. */
async function recordWork({ origin }: Server): Promise<Work> {
  const { body } = await expectAnswer(origin, get('/api/stream'));
  const streams: { id: string; isActive: boolean }[] = JSON.parse(body.toString());
  const quiet = streams.find(({ isActive }) => !isActive);
  return send('PATCH', `/api/stream/${quiet?.id}/record`, { record: true }, 204);
}

/** The bytes that one change takes in a file. */
async function changeLine(file: string, change: () => Promise<unknown>): Promise<Buffer> {
  const before = readFileSync(file).length;
  await change();
  return readFileSync(file).subarray(before);
}

/** Milliseconds of the changes that were asked for while a new file was written. */
async function duringCompaction(
  { origin }: Server,
  draft: string,
  change: () => Promise<number>,
): Promise<number[]> {
  const times: number[] = [];
  // Each reset writes the whole state once more, until the file is twice as long.
  for (let resets = 0; resets < 3 && !existsSync(draft); resets++) {
    await expectAnswer(origin, send('POST', '/_mock/reset', {}, 204));
  }
  while (existsSync(draft)) times.push(await change());
  return times;
}

function percentile99(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
