import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { createClient, type RedisClientType } from 'redis';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../tools/command-line.test-support.ts';
import { program } from '../../tools/program.test-support.ts';
import { temporaryFolder } from '../../tools/temporary.test-support.ts';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { redisStore } from './redis.ts';

/** Starts a Redis server that writes to its disk before it acknowledges. It ends with the test. */
export async function startRedis() {
  const command = program('redis');
  const folder = temporaryFolder();
  const port = await freePort();
  const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
  const durable = ['--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const client: RedisClientType = createClient({ socket: { port, reconnectStrategy: 20 } });
  client.on('error', () => {});
  let server: ChildProcess;
  const run = () => {
    server = spawn(command, [...place, ...durable], { stdio: 'ignore' });
  };
  const kill = async (): Promise<void> => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  run();
  onTestFinished(async () => {
    client.destroy();
    if (server.signalCode === null) await kill();
  });
  /** Starts it again after it was killed. */
  const start = async (): Promise<void> => {
    run();
    // It first reads its data.
    while ((await client.ping().catch(() => '')) !== 'PONG');
  };
  await client.connect();
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    signal: (signal: NodeJS.Signals) => void server.kill(signal),
    kill,
    start,
    /** Starts it again without its data. */
    async startEmpty() {
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await start();
    },
  };
}

/** What looks like a separate process with a mock, to Redis and to clients. */
export async function startProcess(
  url: string,
  lease = 300,
  { quiet = Number.POSITIVE_INFINITY, idle = 0 } = {},
) {
  /** What it said about losses. */
  const losses: string[] = [];
  const store = await redisStore(url, {
    lease,
    quiet,
    idle,
    onLoss: (notice) => losses.push(notice),
  });
  onTestFinished(() => store.close().catch(() => {}));
  const mock = createMock({ store, now: Date.now });
  const read = () => mock.fetch(testRequest('GET /api/stream'));
  return {
    store,
    losses,
    mock,
    read,
    health: async () => (await mock.fetch(testRequest('GET /_mock/health'))).status,
    create: (name: string) =>
      mock.fetch(testRequest('POST /api/stream', { body: JSON.stringify({ name }) })),
    /** The names of its streams, once the process has the world. */
    async names(): Promise<string[]> {
      await expect.poll(async () => (await read()).status).toBe(200);
      const streams = (await (await read()).json()) as { name: string }[];
      return streams.map(({ name }) => name);
    },
  };
}
