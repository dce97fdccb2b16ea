import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createMock } from '../mocks/mock.ts';
import { fileStore } from '../mocks/stores/file.ts';
import { crowdOf } from './growth.ts';
import { serveMock } from './processes.ts';
import { interleaved } from './statistics.ts';
import { atMost, type BenchRun, type Goal, ratioAtMost } from './targets.ts';
import { fetchWork, findMeasuredStream, keptConnection, timed, worksOf } from './work.ts';

/** What it costs to keep every change in a file, beside a bare write and `fsync` on the same disk. */
export async function measureData({ extent, folder, say }: BenchRun): Promise<Goal[]> {
  const { streams, requests } = extent;
  const size = `${streams.toLocaleString('en-GB')} streams`;
  const serveCrowd = () => serveMock('--data', join(folder, 'large'), ...crowdOf(streams));
  const agent = keptConnection();
  const changeOf = async (origin: string, sessions: number): Promise<Change> => {
    const { record } = worksOf(await findMeasuredStream(origin, sessions));
    return () => fetchWork(origin, record, agent);
  };

  say(`data: keeping ${size}, and ${requests} changes of each kind`);
  const small = await serveMock('--data', join(folder, 'small'));
  const large = await serveCrowd();
  const changes = {
    small: await changeOf(small.origin, 3),
    large: await changeOf(large.origin, 2),
    inCode: await changeInCode(join(folder, 'code')),
    bare: await bareWrite(join(folder, 'bare')),
  };
  const names = ['small', 'large', 'inCode', 'bare'] as const;
  const times = await interleaved(names, requests, (name) => timed(changes[name]));
  await small.stop();
  await large.stop();
  agent.destroy();

  say(`data: loading ${size}`);
  const loaded = await serveCrowd();
  await loaded.stop();
  return [
    ratioAtMost(1.3, `a change, with ${size} beside 6`, times.large, times.small),
    ratioAtMost(2, 'a change in code, beside a bare write and fsync', times.inCode, times.bare),
    atMost(2, `start with a file of ${size}`, loaded.startedIn / 1000, 's'),
  ];
}

type Change = () => Promise<unknown>;

/** A change without a server. */
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
