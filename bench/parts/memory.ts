import type { BenchRun } from '../measure/run.ts';
import { residentMegabytes, serveMock } from '../measure/processes.ts';
import { connection, fetchJson, fetchWork, get, getRange, send } from '../measure/requests.ts';
import { atMost, type Findings, figureText } from '../measure/results.ts';
import { interleaved } from '../measure/statistics.ts';

const durations = { '10 seconds': 10, '10 hours': 36_000 } as const;
const rangeBytes = 64 * 1024;

/** Whether a long recording takes more memory than a short one, after the same load of ranges. */
export async function measureMemory({ extent, say }: BenchRun): Promise<Findings> {
  say('memory: ranges of a short and of a long recording');
  const lengths = ['10 seconds', '10 hours'] as const;
  const sizes = await interleaved(lengths, extent.rounds, (length) =>
    memoryAfterRanges(durations[length], extent.requests),
  );
  const megabytes = (length: (typeof lengths)[number]) => sizes.get(length) ?? Number.NaN;
  const growth = megabytes('10 hours') / megabytes('10 seconds');
  return {
    title: 'Memory of the server',
    tables: [
      {
        head: [`after ${extent.requests} ranges of 64 KiB of a recording`, 'MB'],
        rows: lengths.map((length) => [`of ${length}`, figureText(megabytes(length))]),
      },
    ],
    targets: [atMost(1.2, 'memory, recordings of 10 hours beside 10 seconds', growth)],
    notes: [],
  };
}

async function memoryAfterRanges(seconds: number, count: number): Promise<number> {
  const { origin, pid, stop } = await serveMock('--world', 'empty', '--recording-delay', '0');
  const agent = connection();
  try {
    const path = await recordSession(origin, seconds);
    const { headers } = await fetchWork(origin, getRange(path, 0, 0));
    const size = Number(String(headers['content-range']).split('/')[1]);
    for (let index = 0; index < count; index += 1) {
      // Steps of the golden ratio spread evenly over the file, and are the same in every run.
      const start = Math.floor(((index * 0.618_033_988) % 1) * (size - rangeBytes));
      await fetchWork(origin, getRange(path, start, start + rangeBytes - 1), agent);
    }
    return await residentMegabytes(pid);
  } finally {
    agent.destroy();
    await stop();
  }
}

/** The path of the MP4 of a session that lasted so long. */
async function recordSession(origin: string, duration: number): Promise<string> {
  const create = send('POST', '/api/stream', { name: 'Harbour camera', record: true }, 201);
  const { id } = await fetchJson<{ id: string }>(origin, create);
  await fetchWork(origin, send('POST', `/_mock/streams/${id}/start`, { duration }, 201));
  const list = get(`/api/stream/${id}/sessions?record=1`);
  const [session] = await fetchJson<{ mp4URL: string }[]>(origin, list);
  return new URL(session?.mp4URL ?? '').pathname;
}
