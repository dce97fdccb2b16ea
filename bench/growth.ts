import { Agent } from 'node:http';
import { type BenchRun, type Goal, goalOf } from './goals.ts';
import {
  deletionOf,
  findMeasuredStream,
  getRequest,
  readStreams,
  requestsOf,
  sendRequest,
} from './measured-requests.ts';
import { interleaved, median, warmRate } from './measuring.ts';
import { residentMebibytes, type Server, serveMock } from './processes.ts';

const smallStreams = 100;

const deletionsPerRound = 500;

/** The options that serve a world with this many streams, and with room for everything that a load creates. */
function crowdOf(streams: number): string[] {
  const records = Math.max(40 * streams, 1_000_000);
  return ['--world', 'crowded', '--streams', String(streams), '--max-records', String(records)];
}

/** Whether requests take longer in a world of very many streams, and what such a world costs. */
export async function measureGrowth({ extent, say }: BenchRun): Promise<Goal[]> {
  const { rounds, seconds, streams } = extent;
  const size = `${streams.toLocaleString('en-GB')} streams`;
  say(`growth: making ${size}`);
  const crowds = {
    small: await serveMock(...crowdOf(smallStreams)),
    large: await serveMock(...crowdOf(streams)),
  };
  const { small, large } = crowds;
  const mebibytes = residentMebibytes(large.pid);
  const requests = { small: await crowdRequests(small), large: await crowdRequests(large) };

  const grown: Goal[] = [];
  for (const name of Object.keys(requests.large) as (keyof typeof requests.large)[]) {
    say(`growth: ${name}, ${rounds} rounds`);
    const rates = await interleaved(['small', 'large'], rounds, (crowd) =>
      warmRate(crowds[crowd].origin, requests[crowd][name], seconds),
    );
    // The lower the rate, the longer a request takes.
    const title = `${name} with ${size} vs. ${smallStreams}`;
    grown.push(goalOf(title, rates.small / rates.large, { atMost: 1.3 }));
  }
  say(`growth: deletion, ${rounds} rounds`);
  const deletions = await interleaved(['small', 'large'], rounds, (crowd) =>
    medianDeletion(crowds[crowd].origin),
  );
  const title = `delete with ${size} vs. ${smallStreams}`;
  grown.push(goalOf(title, deletions.large / deletions.small, { atMost: 1.1 }));
  await small.stop();
  await large.stop();
  return [
    ...grown,
    goalOf(`start with ${size}`, large.startedIn / 1000, { atMost: 1.2 }, 's'),
    goalOf(`memory after a start with ${size}`, mebibytes, { atMost: 250 }, 'MiB'),
  ];
}

/**
 * The median time of deleting one stream, in milliseconds. As each stream can be deleted once, this deletes streams that
 * earlier loads created, one after the other.
 */
async function medianDeletion(origin: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const streams = await readStreams(origin, deletionsPerRound);
  // The newest one goes last, as its place is the only one that can be given up at once.
  for (const stream of streams.toReversed()) {
    const before = performance.now();
    await sendRequest(origin, deletionOf(stream), agent);
    times.push(performance.now() - before);
  }
  agent.destroy();
  return median(times);
}

/** Requests that do the same work in crowded worlds of any size. */
async function crowdRequests({ origin }: Server) {
  return {
    ...requestsOf(await findMeasuredStream(origin, 2)),
    'first page of all': getRequest('/api/stream'),
  };
}
