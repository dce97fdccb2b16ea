import { open } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { createMock } from '../../mocks/mock.ts';
import { fileStore } from '../../mocks/stores/file.ts';
import { type Server, serveMock } from '../measure/processes.ts';
import { connection, fetchJson, fetchWork, get, send, timed } from '../measure/requests.ts';
import { atMost, type Findings } from '../measure/results.ts';
import type { BenchRun } from '../measure/run.ts';
import { interleaved } from '../measure/statistics.ts';

/** What it costs to keep every change in a file, beside a bare write and `fsync` on the same disk. */
export async function measureData({ extent, sample, say }: BenchRun): Promise<Findings> {
  const { largeStreams: streams, requests } = extent;
  const size = `${streams.toLocaleString('en-GB')} streams`;
  const agent = connection();
  const fileOf = (name: string): string => join(sample.folder, name);
  const crowd = ['--world', 'crowded', '--streams', String(streams)];
  const serveCrowd = () =>
    serveMock('--data', fileOf('large'), ...crowd, '--max-records', String(8 * streams));

  say(`data: keeping ${streams} streams`);
  const small = await serveMock('--data', fileOf('small'));
  const large = await serveCrowd();
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    'over HTTP, 6 streams': await changeOf(small, agent),
    [`over HTTP, ${size}`]: await changeOf(large, agent),
    'in code, 6 streams': await changeInCode(fileOf('code')),
    'bare write and fsync': await bareWrite(fileOf('bare')),
  };
  say(`data: ${requests} changes of each`);
  const names = Object.keys(changes);
  const medians = await interleaved(names, requests, (name) =>
    timed(async () => changes[name]?.()),
  );
  await small.stop();
  await large.stop();

  say(`data: loading ${streams} streams, and changes while another large world is written`);
  const loaded = await serveCrowd();
  const meanwhile = await whileAnother(loaded, await changeOf(loaded, agent));
  await loaded.stop();
  agent.destroy();

  const times = names.map((name) => medians.get(name) ?? Number.NaN);
  const [overSmall, overLarge, inCode, bare] = times as [number, number, number, number];
  return {
    title: 'A file that keeps every change, median ms of a change',
    tables: [
      { head: ['', 'ms'], rows: names.map((name, at) => [name, `${times[at]?.toFixed(3)}`]) },
    ],
    targets: [
      atMost(1.3, `a change, with ${size} beside 6`, overLarge / overSmall),
      atMost(2, 'a change in code, beside a bare write and fsync', inCode / bare),
      atMost(
        50,
        'p99 of a change while another large world is written',
        percentile99(meanwhile),
        'ms',
      ),
      atMost(2, `start with a file of ${size}`, loaded.startedIn / 1000, 's'),
    ],
    notes: [`${meanwhile.length} changes came while another large world was made and written.`],
  };
}

type Change = () => Promise<unknown>;

/** Switches the record of a stream that is not live. */
async function changeOf({ origin }: Server, agent: Agent): Promise<Change> {
  const streams: { id: string; isActive: boolean }[] = await fetchJson(origin, get('/api/stream'));
  const path = `/api/stream/${streams.find(({ isActive }) => !isActive)?.id}/record`;
  const work = send('PATCH', path, { record: true }, 204);
  return () => fetchWork(origin, work, agent);
}

/** The same without a server. */
async function changeInCode(path: string): Promise<Change> {
  const world = await createMock({ world: 'demo', store: await fileStore(path) }).world();
  const id = world.streams().find(({ isActive }) => !isActive)?.id ?? '';
  return () => world.setRecord(id, true);
}

/** Writes as many bytes as such a change takes. */
async function bareWrite(path: string): Promise<Change> {
  const file = await open(path, 'a');
  return async () => {
    await file.appendFile('x'.repeat(374));
    await file.sync();
  };
}

/** Milliseconds of the changes of one key while another key's world is made and written. */
async function whileAnother({ origin }: Server, change: Change): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const otherWorld = get('/api/stream?limit=1', { authorization: 'Bearer test-other' });
  const opened = fetchWork(origin, otherWorld).finally(() => {
    isOver = true;
  });
  while (!isOver) times.push(await timed(change));
  await opened;
  return times;
}

function percentile99(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
