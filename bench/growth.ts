import type { BenchRun } from './bench-run.ts';
import { loadRequests, warmRate } from './load.ts';
import { residentMegabytes, type Server, serveMock } from './processes.ts';
import { connection, fetchJson, fetchWork, get, send, timed, type Work } from './requests.ts';
import { interleaved } from './statistics.ts';
import { atMost, ratioAtMost, type Target } from './targets.ts';

const smallStreams = 100;
/** Room for two large worlds. */
const mostRecords = 4_000_000;

/** A crowded world that is served. */
interface Crowd {
  readonly server: Server;
  /** What the server holds after its first response. */
  readonly megabytes: number;
  readonly works: ReturnType<typeof worksOf>;
}

/** Whether requests take longer in a world with very many streams, and what making it costs. */
export async function measureGrowth({ extent, say }: BenchRun): Promise<Target[]> {
  const { rounds, seconds, streams } = extent;
  say(`growth: making ${streams} streams`);
  const crowds = { small: await openCrowd(smallStreams), large: await openCrowd(streams) };
  const { server, megabytes, works } = crowds.large;
  const size = `${streams.toLocaleString('en-GB')} streams`;

  const grown: Target[] = [];
  for (const name of Object.keys(works) as (keyof typeof works)[]) {
    say(`growth: ${name}, ${rounds} rounds`);
    const { small, large } = await interleaved(['small', 'large'], rounds, (crowd) =>
      warmRate(loadRequests, crowds[crowd].server.origin, crowds[crowd].works[name], seconds),
    );
    // The lower the rate, the longer a request takes.
    grown.push(ratioAtMost(1.3, `${name}, with ${size} beside ${smallStreams}`, small, large));
  }
  say('growth: another world of that size, and its reset, while the first one answers');
  const otherKey = { authorization: 'Bearer test-other' };
  const made = await longestWait(crowds.large, get('/api/stream?limit=1', otherKey));
  const reset: Work = { method: 'POST', path: '/_mock/reset', headers: otherKey, status: 204 };
  const wait = await longestWait(crowds.large, reset);
  await crowds.small.server.stop();
  await server.stop();
  return [
    ...grown,
    atMost(1, `start with ${size}`, server.startedIn / 1000, 's'),
    atMost(350, `memory after a start with ${size}`, megabytes, 'MB'),
    atMost(50, `longest wait of another while ${size} are made`, made, 'ms'),
    atMost(50, `longest wait of another while ${size} are reset`, wait, 'ms'),
  ];
}

async function openCrowd(streams: number): Promise<Crowd> {
  const size = ['--streams', String(streams), '--max-records', String(mostRecords)];
  const server = await serveMock('--world', 'crowded', ...size);
  const megabytes = residentMegabytes(server.pid);
  return { server, megabytes, works: worksOf(await findStream(server.origin)) };
}

function worksOf(id: string) {
  return {
    'list of a stream': get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    'first page of all': get('/api/stream'),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera' }, 201),
  } as const satisfies Record<string, Work>;
}

/** Milliseconds that a request to a crowd's world takes at most while a long one is answered. */
async function longestWait({ server, works }: Crowd, long: Work): Promise<number> {
  const agent = connection();
  let isOver = false;
  const done = fetchWork(server.origin, long).finally(() => {
    isOver = true;
  });
  let longest = 0;
  while (!isOver) {
    const wait = await timed(() => fetchWork(server.origin, works.retrieve, agent));
    longest = Math.max(longest, wait);
  }
  await done;
  agent.destroy();
  return longest;
}

interface Listed {
  readonly id: string;
  readonly isActive: boolean;
  readonly record: boolean;
  readonly profiles: readonly unknown[];
}

/** A stream that is alike in worlds of any size: with profiles, not live, two recorded sessions. */
async function findStream(origin: string): Promise<string> {
  const streams: Listed[] = await fetchJson(origin, get('/api/stream'));
  for (const { id, isActive, record, profiles } of streams) {
    if (isActive || !record || profiles.length === 0) continue;
    const sessions: unknown[] = await fetchJson(origin, get(`/api/stream/${id}/sessions?record=1`));
    if (sessions.length === 2) return id;
  }
  throw new Error('crowded world: expected a recorded stream with two sessions among the newest');
}
