import { type BenchRun, type Goal, goalOf } from './goals.ts';
import { findMeasuredStream, getRequest, requestsOf } from './measured-requests.ts';
import { interleaved, warmRate } from './measuring.ts';
import { residentMebibytes, type Server, serveMock } from './processes.ts';

const smallStreams = 100;

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
  await small.stop();
  await large.stop();
  return [
    ...grown,
    goalOf(`start with ${size}`, large.startedIn / 1000, { atMost: 1 }, 's'),
    goalOf(`memory after a start with ${size}`, mebibytes, { atMost: 350 }, 'MiB'),
  ];
}

/** Requests that do the same work in crowded worlds of any size. */
async function crowdRequests({ origin }: Server) {
  return {
    ...requestsOf(await findMeasuredStream(origin, 2)),
    'first page of all': getRequest('/api/stream'),
  };
}
