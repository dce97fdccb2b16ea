import type { BenchRun } from './bench-run.ts';
import { connection, expectAnswer } from './client.ts';
import type { Findings } from './findings.ts';
import { serveArgs } from './ours.ts';
import { residentMegabytes } from './rss.ts';
import { startServer } from './servers.ts';
import { interleaved } from './statistics.ts';
import { figureText } from './targets.ts';
import { get, send } from './work.ts';

const shortSeconds = 10;
const longSeconds = 36_000;
const mostGrowth = 1.2;
const rangeBytes = 64 * 1024;

/** Whether a long recording takes more memory than a short one, after the same load of ranges. */
export async function measureMemory({ extent, say }: BenchRun): Promise<Findings> {
  say('memory: ranges of a short and of a long recording');
  const sizes = await interleaved([shortSeconds, longSeconds], extent.rounds, (seconds) =>
    memoryAfterRanges(seconds, extent.requests),
  );
  const short = sizes.get(shortSeconds) ?? Number.NaN;
  const long = sizes.get(longSeconds) ?? Number.NaN;
  return {
    title: 'Memory of the server',
    tables: [
      {
        head: [`after ${extent.requests} ranges of 64 KiB of a recording`, 'MB'],
        rows: [
          ['of 10 seconds', figureText(short)],
          ['of 10 hours', figureText(long)],
        ],
      },
    ],
    targets: [
      {
        title: 'memory, recordings of 10 hours beside 10 seconds',
        figure: long / short,
        bound: { atMost: mostGrowth },
        unit: '×',
      },
    ],
    notes: [],
  };
}

async function memoryAfterRanges(seconds: number, count: number): Promise<number> {
  const args = serveArgs('--world', 'empty', '--recording-delay', '0');
  const { origin, pid, stop } = await startServer(args, get('/api/stream'));
  const agent = connection();
  try {
    const path = await recordSession(origin, seconds);
    const size = await sizeOf(origin, path);
    for (let index = 0; index < count; index += 1) {
      // Steps of the golden ratio spread evenly over the file, and are the same in every run.
      const start = Math.floor(((index * 0.618_033_988) % 1) * (size - rangeBytes));
      const range = `bytes=${start}-${start + rangeBytes - 1}`;
      await expectAnswer(origin, { ...get(path, { range }), status: 206 }, agent);
    }
    return await residentMegabytes(pid);
  } finally {
    agent.destroy();
    await stop();
  }
}

/** The path of the MP4 of a session that lasted so long. */
async function recordSession(origin: string, duration: number): Promise<string> {
  const stream = await expectAnswer(
    origin,
    send('POST', '/api/stream', { name: 'Harbour camera', record: true }, 201),
  );
  const { id } = JSON.parse(stream.body.toString());
  await expectAnswer(origin, send('POST', `/_mock/streams/${id}/start`, { duration }, 201));
  const list = await expectAnswer(origin, get(`/api/stream/${id}/sessions?record=1`));
  return new URL(JSON.parse(list.body.toString())[0].mp4URL).pathname;
}

async function sizeOf(origin: string, path: string): Promise<number> {
  const { headers } = await expectAnswer(origin, {
    ...get(path, { range: 'bytes=0-0' }),
    status: 206,
  });
  return Number(String(headers['content-range']).split('/')[1]);
}
