import type { Agent } from 'node:http';
import type { BenchRun } from './bench-run.ts';
import { connection, expectAnswer, latency } from './client.ts';
import type { Findings } from './findings.ts';
import { serveArgs } from './ours.ts';
import { residentMegabytes } from './rss.ts';
import { type Server, startServer } from './servers.ts';
import { interleaved } from './statistics.ts';
import { figureText } from './targets.ts';
import { get, send, type Work } from './work.ts';

const smallStreams = 100;
const mostGrowth = 1.3;
const mostSeconds = 5;
const mostMegabytes = 500;

/** A crowded world that is up, and a connection to it. */
interface Crowd {
  readonly server: Server;
  /** What the server holds after its first answer. */
  readonly megabytes: number;
  readonly agent: Agent;
  readonly works: Readonly<Record<string, Work>>;
}

/** Whether requests take longer in a world with very many streams, and what seeding it costs. */
export async function measureGrowth({ extent, say }: BenchRun): Promise<Findings> {
  say(`growth: seeding ${extent.largeStreams} streams`);
  const small = await openCrowd(smallStreams);
  const large = await openCrowd(extent.largeStreams);
  const sessions = await countSessions(large);
  say(`growth: ${extent.requests} requests of each kind`);
  const rows = [];
  for (const operation of Object.keys(small.works)) {
    const times = await interleaved([small, large], extent.requests, async (crowd) => {
      const work = crowd.works[operation];
      if (work === undefined) throw new TypeError(`${operation}: expected it in both worlds`);
      return latency(crowd.server.origin, work, crowd.agent);
    });
    rows.push({ operation, small: times.get(small) ?? 0, large: times.get(large) ?? 0 });
  }
  for (const { server, agent } of [small, large]) {
    agent.destroy();
    await server.stop();
  }
  const size = `${extent.largeStreams.toLocaleString('en-GB')} streams`;
  return {
    title: 'Growth, median ms of one request after another',
    tables: [
      {
        head: ['', `${smallStreams} streams`, size, 'growth'],
        rows: rows.map((row) => [
          row.operation,
          row.small.toFixed(3),
          row.large.toFixed(3),
          `${figureText(row.large / row.small)} ×`,
        ]),
      },
    ],
    targets: [
      ...rows.map((row) => ({
        title: `${row.operation}, with ${size} beside ${smallStreams}`,
        figure: row.large / row.small,
        bound: { atMost: mostGrowth },
        unit: '×',
      })),
      {
        title: `start with ${size}`,
        figure: large.server.startedIn / 1000,
        bound: { atMost: mostSeconds },
        unit: 's',
      },
      {
        title: `memory after a start with ${size}`,
        figure: large.megabytes,
        bound: { atMost: mostMegabytes },
        unit: 'MB',
      },
    ],
    notes: [`The larger world has ${sessions.toLocaleString('en-GB')} sessions.`],
  };
}

async function openCrowd(streams: number): Promise<Crowd> {
  const args = serveArgs('--world', 'crowded', '--streams', String(streams));
  const server = await startServer(args, get('/api/stream?limit=1'));
  const megabytes = await residentMegabytes(server.pid);
  const agent = connection();
  const id = await findStream(server.origin, agent);
  const works = {
    'list of a stream': get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera' }, 201),
    'first page of all': get('/api/stream'),
  };
  return { server, megabytes, agent, works };
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

async function countSessions({ server, agent }: Crowd): Promise<number> {
  let count = 0;
  let path: string | undefined = '/api/session?limit=1000';
  while (path !== undefined) {
    const { headers, body } = await expectAnswer(server.origin, get(path), agent);
    count += JSON.parse(body.toString()).length;
    const next = /<([^>]+)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1];
    path =
      next === undefined
        ? undefined
        : new URL(next, server.origin + path).href.slice(server.origin.length);
  }
  return count;
}
