import type { Agent } from 'node:http';
import type { BenchRun } from './bench-run.ts';
import { connection, expectAnswer, latency } from './client.ts';
import type { Findings } from './findings.ts';
import { serveArgs } from './ours.ts';
import { residentMegabytes } from './rss.ts';
import { type Server, startServer } from './servers.ts';
import { interleaved } from './statistics.ts';
import { figureText, type Target } from './targets.ts';
import { get, send, type Work } from './work.ts';

const smallStreams = 100;
/** Room for a huge world, or for two large ones. */
const mostRecords = 4_000_000;
const mostGrowth = 1.3;
const mostWait = 50;
const mostStreamsCall = 200;

/** A crowded world that is up, and a connection to it. */
interface Crowd {
  readonly streams: number;
  readonly server: Server;
  /** What the server holds after its first answer. */
  readonly megabytes: number;
  readonly agent: Agent;
  readonly works: Readonly<Record<string, Work>>;
}

/** Whether requests take longer in a world with very many streams, and what making it costs. */
export async function measureGrowth({ extent, say }: BenchRun): Promise<Findings> {
  const { largeStreams, hugeStreams, requests } = extent;
  const sizes = [smallStreams, largeStreams, ...(hugeStreams === undefined ? [] : [hugeStreams])];
  const crowds: Crowd[] = [];
  for (const streams of sizes) {
    say(`growth: making ${streams} streams`);
    crowds.push(await openCrowd(streams));
  }
  const [small, large, huge] = crowds as [Crowd, Crowd, Crowd?];
  say(`growth: ${requests} requests of each kind`);
  const times = new Map<string, Map<Crowd, number>>();
  for (const name of Object.keys(small.works)) {
    times.set(name, await interleaved(crowds, requests, (crowd) => timeOnce(crowd, name)));
  }
  say('growth: another world of that size, and its reset, while others are answered');
  const reset = send('POST', '/_mock/reset', {}, 204);
  const waits = {
    opened: await longestWait(large, get('/api/stream?limit=1', otherKey)),
    reset: await longestWait(large, { ...reset, headers: { ...reset.headers, ...otherKey } }),
  };
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
        head: ['', ...crowds.map(sizeOf), ...grown.map((crowd) => `growth to ${sizeOf(crowd)}`)],
        rows: [...times.keys()].map((name) => [
          name,
          ...crowds.map((crowd) => figure(name, crowd).toFixed(3)),
          ...grown.map((crowd) => `${figureText(growth(name, crowd))} ×`),
        ]),
      },
    ],
    targets: [
      ...grown.flatMap((crowd) =>
        [...times.keys()].map((name) =>
          atMost(
            `${name}, with ${sizeOf(crowd)} beside ${smallStreams}`,
            growth(name, crowd),
            mostGrowth,
            '×',
          ),
        ),
      ),
      ...startTargets(large, 1, 350),
      ...(huge === undefined ? [] : startTargets(huge, 12, 3_000)),
      atMost(
        `longest wait of another while ${sizeOf(large)} are made`,
        waits.opened,
        mostWait,
        'ms',
      ),
      atMost(
        `longest wait of another while ${sizeOf(large)} are reset`,
        waits.reset,
        mostWait,
        'ms',
      ),
      atMost(`world.streams() of ${sizeOf(large)}`, call, mostStreamsCall, 'ms'),
    ],
    notes: ['A crowded world has about twice as many sessions as streams.'],
  };
}

function startTargets(crowd: Crowd, seconds: number, megabytes: number): Target[] {
  const { startedIn } = crowd.server;
  return [
    atMost(`start with ${sizeOf(crowd)}`, startedIn / 1000, seconds, 's'),
    atMost(`memory after a start with ${sizeOf(crowd)}`, crowd.megabytes, megabytes, 'MB'),
  ];
}

function atMost(title: string, figure: number, bound: number, unit: string): Target {
  return { title, figure, bound: { atMost: bound }, unit };
}

function sizeOf({ streams }: Crowd): string {
  return `${streams.toLocaleString('en-GB')} streams`;
}

async function openCrowd(streams: number): Promise<Crowd> {
  const size = ['--streams', String(streams), '--max-records', String(mostRecords)];
  const args = serveArgs('--world', 'crowded', ...size);
  const server = await startServer(args, get('/api/stream?limit=1'));
  const megabytes = await residentMegabytes(server.pid);
  const agent = connection();
  const id = await findStream(server.origin, agent);
  const works = {
    'list of a stream': get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera' }, 201),
    delete: { ...get('/api/stream/'), method: 'DELETE', status: 204 },
    'first page of all': get('/api/stream'),
  } as const satisfies Record<string, Work>;
  return { streams, server, megabytes, agent, works };
}

async function timeOnce({ server, agent, works }: Crowd, name: string): Promise<number> {
  const work = works[name];
  if (work === undefined) throw new TypeError(`${name}: expected it in every world`);
  if (work.method !== 'DELETE') return latency(server.origin, work, agent);
  const { body } = await expectAnswer(server.origin, get('/api/stream?limit=1'), agent);
  const [{ id }] = JSON.parse(body.toString());
  return latency(server.origin, { ...work, path: work.path + id }, agent);
}

const otherKey = { authorization: 'Bearer test-other' };

/** Milliseconds that a request to a crowd's world takes at most while a long one is answered. */
async function longestWait({ server, agent, works }: Crowd, long: Work): Promise<number> {
  let over = false;
  const done = expectAnswer(server.origin, long).finally(() => {
    over = true;
  });
  let longest = 0;
  while (!over) {
    longest = Math.max(longest, await latency(server.origin, works['retrieve'] as Work, agent));
  }
  await done;
  return longest;
}

/** Median milliseconds of `world.streams()`, in this process. */
async function timeStreams(streams: number): Promise<number> {
  const dist = new URL('../dist/index.js', import.meta.url).href;
  const { createMock }: typeof import('../mocks/index.ts') = await import(dist);
  const world = await createMock({ world: 'crowded', streams }).world();
  const times = await interleaved(['streams'], 5, async () => {
    const before = performance.now();
    world.streams();
    return performance.now() - before;
  });
  return times.get('streams') ?? Number.NaN;
}

interface Shown {
  readonly id: string;
  readonly isActive: boolean;
  readonly record: boolean;
  readonly profiles: readonly unknown[];
}

/** A stream that is alike in worlds of any size: with profiles, not live, two recorded sessions. */
async function findStream(origin: string, agent: Agent): Promise<string> {
  const { body } = await expectAnswer(origin, get('/api/stream'), agent);
  const streams: Shown[] = JSON.parse(body.toString());
  for (const { id } of streams.filter((stream) => isSuitable(stream))) {
    const list = await expectAnswer(origin, get(`/api/stream/${id}/sessions?record=1`), agent);
    if (JSON.parse(list.body.toString()).length === 2) return id;
  }
  throw new Error('crowded world: expected a recorded stream with two sessions among the newest');
}

function isSuitable({ isActive, record, profiles }: Shown): boolean {
  return !isActive && record && profiles.length > 0;
}
