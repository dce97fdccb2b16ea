import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchRun } from './bench-run.ts';
import { loadMedia, loadRequests, warmRate } from './load.ts';
import { type Server, serveMock, startServer } from './processes.ts';
import { fetchJson, fetchWork, get, getRange, send, type Work } from './requests.ts';
import { interleaved } from './statistics.ts';
import { ratioAtLeast, ratioAtMost, type Target } from './targets.ts';

/** What is measured, and how much of the rate of node:http is enough. */
const operations = {
  list: { load: loadRequests, least: 0.75 },
  retrieve: { load: loadRequests, least: 0.75 },
  record: { load: loadRequests, least: 0.75 },
  create: { load: loadRequests, least: 0.4 },
  segment: { load: loadMedia, least: 0.5 },
  range: { load: loadMedia, least: 0.5 },
} as const;
type Name = keyof typeof operations;
type Works = Readonly<Record<Name, Work>>;

/** Starts and rates beside Node's own server, which sends the same bytes from memory. */
export async function measureBesideNodeHttp({ extent, folder, say }: BenchRun): Promise<Target[]> {
  const works = await keepResponses(folder);
  const servers = {
    ours: () => serveMock(),
    bare: () =>
      startServer(
        (port) => [join(import.meta.dirname, 'node-http.mjs'), folder, `${port}`],
        works.list,
      ),
  };
  const names = ['ours', 'bare'] as const;
  say(`start: ${extent.starts} times each`);
  // The first starts, which read files from disk, are not counted.
  for (const name of names) await (await servers[name]()).stop();
  const starts = await interleaved(names, extent.starts, (name) => startOnce(servers[name]));

  const targets: Target[] = [];
  for (const operation of Object.keys(operations) as Name[]) {
    const { load, least } = operations[operation];
    say(`${operation}: ${extent.rounds} rounds`);
    const rates = await interleaved(names, extent.rounds, async (name) => {
      const { origin, stop } = await servers[name]();
      return warmRate(load, origin, works[operation], extent.seconds).finally(stop);
    });
    const title = `${operation}, beside node:http`;
    targets.push(ratioAtLeast(least, title, rates.ours, rates.bare));
  }
  return [ratioAtMost(3, 'start, beside node:http', starts.ours, starts.bare), ...targets];
}

async function startOnce(start: () => Promise<Server>): Promise<number> {
  const { startedIn, stop } = await start();
  await stop();
  return startedIn;
}

/** Sends every request once to this project, and keeps the responses for node:http to send. */
async function keepResponses(folder: string): Promise<Works> {
  const { origin, stop } = await serveMock();
  try {
    const works = await findWorks(origin);
    const kept = Object.values(works).map(async ({ method, path, ...work }) => {
      const { status, headers, body } = await fetchWork(origin, { method, path, ...work });
      const { 'content-type': type = '', 'content-range': range = '' } = headers;
      const shown = {
        ...(type && { 'content-type': type }),
        ...(range && { 'content-range': range }),
      };
      return { method, path, status, headers: shown, body: body.toString('base64') };
    });
    writeFileSync(join(folder, 'responses.json'), JSON.stringify(await Promise.all(kept)));
    return works;
  } finally {
    await stop();
  }
}

interface Session {
  readonly id: string;
  readonly parentId: string;
  readonly sourceSegmentsDuration: number;
}

async function findWorks(origin: string): Promise<Works> {
  const sessions: Session[] = await fetchJson(origin, get('/api/session?record=1'));
  const parents = sessions.map(({ parentId }) => parentId);
  const id = parents.find((parent) => parents.filter((other) => other === parent).length === 3);
  const longest = sessions.find(({ sourceSegmentsDuration }) => sourceSegmentsDuration === 36_000);
  if (id === undefined || longest === undefined) {
    throw new Error('demo world: expected a stream with 3 recorded sessions, and one of 10 hours');
  }
  const profiles = [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }];
  return {
    list: get(`/api/stream/${id}/sessions?record=1`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera', profiles }, 201),
    segment: get(`/recordings/${longest.id}/source/00000000.m4s`),
    range: getRange(`/recordings/${longest.id}/source.mp4`, 1_000_000, 1_999_999),
  };
}
