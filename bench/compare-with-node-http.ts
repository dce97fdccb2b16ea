import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchRun, type Goal, goalOf } from './goals.ts';
import {
  type BenchRequests,
  findMeasuredStream,
  requestsOf,
  sendRequest,
} from './measured-requests.ts';
import { interleaved, warmRate } from './measuring.ts';
import { launchServer, type Server, serveMock } from './processes.ts';

/** The required share of the rate of node:http. */
const leastRatios = { list: 0.6, retrieve: 0.7, record: 0.5, create: 0.35 } as const;

const bareServer = join(import.meta.dirname, 'node-http.mjs');

/** Compares starts and rates with Node's own server, which sends the same bytes from memory. */
export async function compareWithNodeHttp({ extent, folder, say }: BenchRun): Promise<Goal[]> {
  const responses = join(folder, 'responses.json');
  const requests = await keepResponses(responses);
  const servers = {
    ours: () => serveMock(),
    bare: () => launchServer([bareServer, responses], requests.list),
  };
  const names = ['ours', 'bare'] as const;
  say(`start: ${extent.starts} times each`);
  // The first starts read files from disk, so they do not count.
  for (const name of names) await startOnce(servers[name]);
  const starts = await interleaved(names, extent.starts, (name) => startOnce(servers[name]));

  const goals = [goalOf('start vs. node:http', starts.ours / starts.bare, { atMost: 1.8 })];
  for (const operation of Object.keys(leastRatios) as (keyof BenchRequests)[]) {
    say(`${operation}: ${extent.rounds} rounds`);
    const rates = await interleaved(names, extent.rounds, async (name) => {
      const { origin, stop } = await servers[name]();
      return warmRate(origin, requests[operation], extent.seconds).finally(stop);
    });
    const atLeast = leastRatios[operation];
    goals.push(goalOf(`${operation} vs. node:http`, rates.ours / rates.bare, { atLeast }));
  }
  return goals;
}

async function startOnce(start: () => Promise<Server>): Promise<number> {
  const { startedIn, stop } = await start();
  await stop();
  return startedIn;
}

/** Sends every request once to this project, and keeps the responses for node:http to send. */
async function keepResponses(file: string): Promise<BenchRequests> {
  const { origin, stop } = await serveMock();
  const requests = requestsOf(await findMeasuredStream(origin, 3));
  const recordings = Object.values(requests).map(async (request) => {
    const { status, headers, body } = await sendRequest(origin, request);
    const line = `${request.method} ${request.path}`;
    return { line, status, type: headers['content-type'], body: body.toString() };
  });
  writeFileSync(file, JSON.stringify(await Promise.all(recordings)));
  await stop();
  return requests;
}
