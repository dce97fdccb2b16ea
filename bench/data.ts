import { open } from 'node:fs/promises';
import type { Agent } from 'node:http';
import { join } from 'node:path';
import { createMock } from '../mocks/mock.ts';
import { fileStore } from '../mocks/stores/file.ts';
import type { BenchRun } from './bench-run.ts';
import { connection, expectAnswer } from './client.ts';
import type { Findings } from './findings.ts';
import { serveArgs } from './ours.ts';
import { type Server, startServer } from './servers.ts';
import { interleaved } from './statistics.ts';
import type { Target } from './targets.ts';
import { get, send } from './work.ts';

const mostOfSmall = 1.3;
const mostOfBare = 2;
const mostWait = 50;
const mostLoad = 2;

/** What it costs to keep every change in a file, beside a bare write and `fsync` on the same disk. */
export async function measureData({ extent, sample, say }: BenchRun): Promise<Findings> {
  const { largeStreams, requests } = extent;
  const agent = connection();
  const fileOf = (name: string): string => join(sample.folder, name);
  const room = String(8 * largeStreams);
  const crowd = ['--world', 'crowded', '--streams', String(largeStreams), '--max-records', room];
  say(`data: keeping ${largeStreams} streams`);
  const small = await serveFile(fileOf('small'));
  const large = await serveFile(fileOf('large'), ...crowd);
  const changes = {
    'over HTTP, 6 streams': await changeOf(small, agent),
    [`over HTTP, ${largeStreams.toLocaleString('en-GB')} streams`]: await changeOf(large, agent),
    'in code, 6 streams': await changeInCode(fileOf('code')),
    'bare write and fsync': await bareWrite(fileOf('bare')),
  };
  say(`data: ${requests} changes of each`);
  const names = Object.keys(changes);
  const times = await interleaved(names, requests, async (name) => {
    const before = performance.now();
    await changes[name as keyof typeof changes]?.();
    return performance.now() - before;
  });
  await small.stop();
  await large.stop();
  say(`data: loading ${largeStreams} streams`);
  const loaded = await serveFile(fileOf('large'), ...crowd);
  say('data: changes while the file is written anew');
  const renewal = await whileRenewed(loaded, await changeOf(loaded, agent));
  await loaded.stop();
  agent.destroy();

  const [overSmall = 0, overLarge = 0, inCode = 0, bare = 0] = names.map((name) => times.get(name));
  const size = `${largeStreams.toLocaleString('en-GB')} streams`;
  return {
    title: 'A file that keeps every change, median ms of a change',
    tables: [
      { head: ['', 'ms'], rows: names.map((name) => [name, (times.get(name) ?? 0).toFixed(3)]) },
    ],
    targets: [
      atMost(`a change, with ${size} beside 6`, overLarge / overSmall, mostOfSmall, '×'),
      atMost('a change in code, beside a bare write and fsync', inCode / bare, mostOfBare, '×'),
      atMost('p99 of a change while a file is written anew', percentile99(renewal), mostWait, 'ms'),
      atMost(`start with a file of ${size}`, loaded.startedIn / 1000, mostLoad, 's'),
    ],
    notes: [
      `${renewal.length} changes came while the file was written anew, with another large world.`,
    ],
  };
}

function atMost(title: string, figure: number, bound: number, unit: string): Target {
  return { title, figure, bound: { atMost: bound }, unit };
}

/** A server that keeps its worlds in a file, once it has answered from a world. */
function serveFile(file: string, ...more: readonly string[]): Promise<Server> {
  return startServer(serveArgs('--data', file, ...more), get('/api/stream?limit=1'));
}

type Change = () => Promise<unknown>;

/** Switches the record of a stream that is not live. */
async function changeOf({ origin }: Server, agent: Agent): Promise<Change> {
  const { body } = await expectAnswer(origin, get('/api/stream'));
  const streams: { id: string; isActive: boolean }[] = JSON.parse(body.toString());
  const path = `/api/stream/${streams.find(({ isActive }) => !isActive)?.id}/record`;
  const work = send('PATCH', path, { record: true }, 204);
  return () => expectAnswer(origin, work, agent);
}

/** The same without a server. */
async function changeInCode(path: string): Promise<Change> {
  const world = await createMock({ world: 'demo', store: await fileStore(path) }).world();
  const id = world.streams().find(({ isActive }) => !isActive)?.id ?? '';
  return () => world.setRecord(id, true);
}

/** Writes as many bytes as such a change takes. */
async function bareWrite(path: string): Promise<Change> {
  const file = await open(path, 'a');
  return async () => {
    await file.appendFile('x'.repeat(282));
    await file.sync();
  };
}

/** Milliseconds of the changes of one key while the file is written anew, with another key's world. */
async function whileRenewed({ origin }: Server, change: Change): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const other = { authorization: 'Bearer test-other' };
  const opened: Promise<unknown> = expectAnswer(origin, get('/api/stream?limit=1', other)).finally(
    () => {
      isOver = true;
    },
  );
  while (!isOver) {
    const before = performance.now();
    await change();
    times.push(performance.now() - before);
  }
  await opened;
  return times;
}

function percentile99(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
