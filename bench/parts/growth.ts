import type { Agent } from 'node:http';
import type { BenchRun } from '../measure/run.ts';
import { residentMegabytes, type Server, serveMock } from '../measure/processes.ts';
import {
  connection,
  fetchJson,
  fetchWork,
  get,
  send,
  timed,
  type Work,
} from '../measure/requests.ts';
import { atMost, type Findings, figureText, type Target } from '../measure/results.ts';
import { interleaved, median } from '../measure/statistics.ts';

const smallStreams = 100;
/** Room for a huge world, or for two large ones. */
const mostRecords = 4_000_000;
const mostWait = 50;
const otherKey = { authorization: 'Bearer test-other' };

/** A crowded world that is served, and a connection to it. */
interface Crowd {
  /** As `100,000 streams`. */
  readonly size: string;
  readonly server: Server;
  /** What the server holds after its first response. */
  readonly megabytes: number;
  readonly agent: Agent;
  readonly works: ReturnType<typeof worksOf>;
}

/** Whether requests take longer in a world with very many streams, and what making it costs. */
export async function measureGrowth({ extent, say }: BenchRun): Promise<Findings> {
  const crowds: Crowd[] = [];
  const { requests, largeStreams, hugeStreams } = extent;
  for (const streams of [smallStreams, largeStreams, hugeStreams ?? []].flat()) {
    say(`growth: making ${streams} streams`);
    crowds.push(await openCrowd(streams));
  }
  const [small, large, huge] = crowds as [Crowd, Crowd, Crowd?];
  const names = Object.keys(small.works) as (keyof Crowd['works'])[];
  say(`growth: ${requests} requests of each kind`);
  const times = new Map<string, Map<Crowd, number>>();
  for (const name of names) {
    const series = await interleaved(crowds, requests, (crowd) => timeOnce(crowd, name));
    times.set(name, series);
  }
  say('growth: another world of that size, and its reset, while the first one answers');
  const opened = await longestWait(large, get('/api/stream?limit=1', otherKey));
  const reset = send('POST', '/_mock/reset', {}, 204);
  const whileReset = { ...reset, headers: { ...reset.headers, ...otherKey } };
  const wait = await longestWait(large, whileReset);
  const call = await timeStreams(largeStreams);
  for (const { server, agent } of crowds) {
    agent.destroy();
    await server.stop();
  }

  const figure = (name: string, crowd: Crowd): number => times.get(name)?.get(crowd) ?? Number.NaN;
  const growth = (name: string, crowd: Crowd): number => figure(name, crowd) / figure(name, small);
  const grown = crowds.slice(1);
  return {
    title: 'Growth, median ms of one request after another',
    tables: [
      {
        head: [
          '',
          ...crowds.map(({ size }) => size),
          ...grown.map(({ size }) => `growth to ${size}`),
        ],
        rows: names.map((name) => [
          name,
          ...crowds.map((crowd) => figure(name, crowd).toFixed(3)),
          ...grown.map((crowd) => `${figureText(growth(name, crowd))} ×`),
        ]),
      },
    ],
    targets: [
      ...grown.flatMap((crowd) =>
        names.map((name) =>
          atMost(1.3, `${name}, with ${crowd.size} beside ${smallStreams}`, growth(name, crowd)),
        ),
      ),
      ...startTargets(large, 1, 350),
      ...(huge === undefined ? [] : startTargets(huge, 12, 3_000)),
      atMost(mostWait, `longest wait of another while ${large.size} are made`, opened, 'ms'),
      atMost(mostWait, `longest wait of another while ${large.size} are reset`, wait, 'ms'),
      atMost(200, `world.streams() of ${large.size}`, call, 'ms'),
    ],
    notes: ['A crowded world has about twice as many sessions as streams.'],
  };
}

function startTargets({ server, megabytes, size }: Crowd, seconds: number, most: number): Target[] {
  return [
    atMost(seconds, `start with ${size}`, server.startedIn / 1000, 's'),
    atMost(most, `memory after a start with ${size}`, megabytes, 'MB'),
  ];
}

async function openCrowd(streams: number): Promise<Crowd> {
  const size = ['--streams', String(streams), '--max-records', String(mostRecords)];
  const server = await serveMock('--world', 'crowded', ...size);
  return {
    size: `${streams.toLocaleString('en-GB')} streams`,
    server,
    megabytes: await residentMegabytes(server.pid),
    agent: connection(),
    works: worksOf(await findStream(server.origin)),
  };
}

function worksOf(id: string) {
  return {
    'list of a stream': get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera' }, 201),
    delete: { ...get('/api/stream/'), method: 'DELETE', status: 204 },
    'first page of all': get('/api/stream'),
  } as const satisfies Record<string, Work>;
}

async function timeOnce(
  { server, agent, works }: Crowd,
  name: keyof Crowd['works'],
): Promise<number> {
  let work: Work = works[name];
  if (name === 'delete') {
    const [newest] = await fetchJson<{ id: string }[]>(server.origin, get('/api/stream?limit=1'));
    work = { ...work, path: work.path + newest?.id };
  }
  return timed(() => fetchWork(server.origin, work, agent));
}

/** Milliseconds that a request to a crowd's world takes at most while a long one is answered. */
async function longestWait({ server, agent, works }: Crowd, long: Work): Promise<number> {
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
  return longest;
}

/** Median milliseconds of `world.streams()`, in this process. */
async function timeStreams(streams: number): Promise<number> {
  const dist = new URL('../../dist/index.js', import.meta.url).href;
  const { createMock }: typeof import('../../mocks/index.ts') = await import(dist);
  const world = await createMock({ world: 'crowded', streams }).world();
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) times.push(await timed(async () => world.streams()));
  return median(times);
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
