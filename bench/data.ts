import { open } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { createMock } from '../mocks/mock.ts';
import { fileStore } from '../mocks/stores/file.ts';
import type { BenchRun } from './bench-run.ts';
import { type Server, serveMock } from './processes.ts';
import { connection, fetchJson, fetchWork, get, send, timed } from './requests.ts';
import { interleaved } from './statistics.ts';
import { atMost, ratioAtMost, type Target } from './targets.ts';

/** What it costs to keep every change in a file, beside a bare write and `fsync` on the same disk. */
export async function measureData({ extent, folder, say }: BenchRun): Promise<Target[]> {
  const { streams, requests } = extent;
  const size = `${streams.toLocaleString('en-GB')} streams`;
  const agent = connection();
  const serveCrowd = () =>
    serveMock(
      ...['--data', join(folder, 'large'), '--world', 'crowded'],
      ...['--streams', String(streams), '--max-records', String(8 * streams)],
    );

  say(`data: keeping ${streams} streams, and ${requests} changes of each kind`);
  const small = await serveMock('--data', join(folder, 'small'));
  const large = await serveCrowd();
  const changes = {
    small: await changeOf(small, agent),
    large: await changeOf(large, agent),
    inCode: await changeInCode(join(folder, 'code')),
    bare: await bareWrite(join(folder, 'bare')),
  };
  const names = ['small', 'large', 'inCode', 'bare'] as const;
  const times = await interleaved(names, requests, (name) => timed(changes[name]));
  await small.stop();
  await large.stop();

  agent.destroy();

  say(`data: loading ${streams} streams`);
  const loaded = await serveCrowd();
  await loaded.stop();
  return [
    ratioAtMost(1.3, `a change, with ${size} beside 6`, times.large, times.small),
    ratioAtMost(2, 'a change in code, beside a bare write and fsync', times.inCode, times.bare),
    atMost(2, `start with a file of ${size}`, loaded.startedIn / 1000, 's'),
  ];
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
    await file.appendFile('x'.repeat(282));
    await file.sync();
  };
}
