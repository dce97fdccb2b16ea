import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMedia, loadRequests, warmRate } from './load.ts';
import { launchServer, type Server, serveMock } from './processes.ts';
import { interleaved } from './statistics.ts';
import { type BenchRun, type Goal, ratioAtLeast, ratioAtMost } from './targets.ts';
import { fetchJson, fetchWork, findMeasuredStream, getWork, type Work, worksOf } from './work.ts';

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

const bareServer = join(import.meta.dirname, 'node-http.mjs');

/** Starts and rates beside Node's own server, which sends the same bytes from memory. */
export async function measureBesideNodeHttp({ extent, folder, say }: BenchRun): Promise<Goal[]> {
  const responses = join(folder, 'responses.json');
  const works = await keepResponses(responses);
  const servers = {
    ours: () => serveMock(),
    bare: () => launchServer([bareServer, responses], works.list),
  };
  const names = ['ours', 'bare'] as const;
  say(`start: ${extent.starts} times each`);
  // The first starts, which read files from disk, are not counted.
  for (const name of names) await startOnce(servers[name]);
  const starts = await interleaved(names, extent.starts, (name) => startOnce(servers[name]));

  const goals = [ratioAtMost(3, 'start, beside node:http', starts.ours, starts.bare)];
  for (const operation of Object.keys(operations) as Name[]) {
    const { load, least } = operations[operation];
    say(`${operation}: ${extent.rounds} rounds`);
    const rates = await interleaved(names, extent.rounds, async (name) => {
      const { origin, stop } = await servers[name]();
      return warmRate(load, origin, works[operation], extent.seconds).finally(stop);
    });
    goals.push(ratioAtLeast(least, `${operation}, beside node:http`, rates.ours, rates.bare));
  }
  return goals;
}

async function startOnce(start: () => Promise<Server>): Promise<number> {
  const { startedIn, stop } = await start();
  await stop();
  return startedIn;
}

/** Sends every request once to this project, and keeps the responses for node:http to send. */
async function keepResponses(file: string): Promise<Record<Name, Work>> {
  const { origin, stop } = await serveMock();
  const works = await findWorks(origin);
  const kept = Object.values(works).map(async (work) => {
    const { status, headers, body } = await fetchWork(origin, work);
    const shown = ['content-type', 'content-range'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    );
    return {
      line: `${work.method} ${work.path}`,
      status,
      headers: Object.fromEntries(shown),
      body: body.toString('base64'),
    };
  });
  writeFileSync(file, JSON.stringify(await Promise.all(kept)));
  await stop();
  return works;
}

interface ListedSession {
  readonly id: string;
  readonly sourceSegmentsDuration: number;
}

async function findWorks(origin: string): Promise<Record<Name, Work>> {
  const sessions: ListedSession[] = await fetchJson(origin, getWork('/api/session?record=1'));
  const longest = sessions.find(({ sourceSegmentsDuration }) => sourceSegmentsDuration === 36_000);
  if (longest === undefined) throw new Error('demo world: expected a recording of 10 hours');
  const media = `/recordings/${longest.id}`;
  const file = getWork(`${media}/source.mp4`);
  const range = { ...file.headers, range: 'bytes=1000000-1999999' };
  return {
    ...worksOf(await findMeasuredStream(origin, 3)),
    segment: getWork(`${media}/source/00000000.m4s`),
    range: { ...file, headers: range, status: 206 },
  };
}
