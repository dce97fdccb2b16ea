import { Agent } from 'node:http';
import { join } from 'node:path';
import { crowdOf } from './growth.ts';
import { serveMock } from './processes.ts';
import { interleaved } from './statistics.ts';
import { atMost, type BenchRun, type Goal, ratioAtMost } from './targets.ts';
import { fetchWork, findMeasuredStream, timed, worksOf } from './work.ts';

/** What it costs to keep every change in a file. */
export async function measureData({ extent, folder, say }: BenchRun): Promise<Goal[]> {
  const { streams, requests } = extent;
  const size = `${streams.toLocaleString('en-GB')} streams`;
  const serveCrowd = () => serveMock('--data', join(folder, 'large'), ...crowdOf(streams));

  say(`data: keeping ${size}, and ${requests} changes of each kind`);
  const servers = {
    small: await serveMock('--data', join(folder, 'small')),
    large: await serveCrowd(),
  };
  const { small, large } = servers;
  const records = {
    small: worksOf(await findMeasuredStream(small.origin, 3)).record,
    large: worksOf(await findMeasuredStream(large.origin, 2)).record,
  };
  // One connection, for one request after another.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = await interleaved(['small', 'large'], requests, (name) =>
    timed(() => fetchWork(servers[name].origin, records[name], agent)),
  );
  agent.destroy();
  await small.stop();
  await large.stop();

  say(`data: loading ${size}`);
  const loaded = await serveCrowd();
  await loaded.stop();
  return [
    ratioAtMost(1.3, `a change, with ${size} beside 6`, times.large, times.small),
    atMost(2, `start with a file of ${size}`, loaded.startedIn / 1000, 's'),
  ];
}
