import { spawn } from 'node:child_process';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../../fixtures/random.ts';
import { byNight } from '../../../tools/nightly.test-support.ts';
import { longestSilence } from './broadcasts.ts';
import { chunkSize, message, openConnection, publishing } from './rtmp-client.test-support.ts';
import { type Served, serveIngest } from './served.test-support.ts';

async function expectResponses({ server }: Served): Promise<void> {
  const headers = { authorization: 'Bearer test-demo' };
  expect((await fetch(`${server.baseUrl}/stream`, { headers })).status).toBe(200);
}

/** An encoder that has gone live. */
async function goLive(setup: Served) {
  const client = openConnection(setup.address, publishing(setup.address));
  await expect.poll(() => client.received().includes('NetStream.Publish.Start')).toBe(true);
  return client;
}

const random = createRandom('hostile');

function garbage(length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
}

test('an encoder that sends garbage or is killed at any point leaves only its session', async () => {
  const setup = await serveIngest();
  const handshaken = publishing('a').subarray(0, 1 + 2 * 1536);
  const counts = byNight(200, 20);
  const clients = Array.from({ length: counts }, (_, number) => {
    const beginning = number % 2 === 0 ? Buffer.alloc(0) : handshaken;
    return openConnection(setup.address, Buffer.concat([beginning, garbage(5_000)]));
  });
  for (const { socket } of clients) socket.end();
  await Promise.all(clients.map(({ closed }) => closed));
  for (let number = 0; number < counts / 10; number++) {
    const client = await goLive(setup);
    if (number % 2 === 0) client.socket.end(garbage(5_000));
    else client.socket.resetAndDestroy();
    await client.closed;
    await expect.poll(() => setup.isLive()).toBe(false);
  }
  expect(setup.world.sessions()).toHaveLength(counts / 10);
  await expectResponses(setup);
});

const connections = byNight(1_000, 150);

test(`of ${connections} idle connections most are refused, and the others closed in time`, async () => {
  const setup = await serveIngest();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const unfinished = publishing('a').subarray(0, 1_000);
  const clients = Array.from({ length: connections }, () =>
    openConnection(setup.address, unfinished),
  );
  await expectResponses(setup);
  const areClosed = () => {
    vi.advanceTimersByTime(longestSilence);
    return clients.every(({ socket }) => socket.closed);
  };
  await expect.poll(areClosed).toBe(true);
  vi.useRealTimers();
  await goLive(setup);
});

const megabyte = 1024 * 1024;

test.each([
  ['a message of 16 MB', () => [message({ type: 9, length: 16 * megabyte - 1 }, Buffer.alloc(9))]],
  ['a command of 1 MB', () => [message({ type: 20, length: megabyte }, Buffer.alloc(9))]],
  [
    'messages on 60 channels',
    () =>
      Array.from({ length: 60 }, (_, number) =>
        message({ channel: 2 + number, type: 9, length: megabyte }, Buffer.alloc(0)),
      ),
  ],
  [
    'a message that shrinks while it comes',
    () => [
      message({ type: 9, length: 1_000 }, Buffer.alloc(500)),
      message({ type: 9, length: 10 }, Buffer.alloc(10)),
    ],
  ],
  ['a second publication', () => [publishing('rtmp://a/live/b').subarray(1 + 2 * 1536)]],
])('an encoder that sends %s is disconnected', async (_, bytes) => {
  const setup = await serveIngest();
  const client = await goLive(setup);
  client.socket.write(Buffer.concat([chunkSize(500), ...bytes()]));
  await client.closed;
  await expect.poll(() => setup.isLive()).toBe(false);
});

test('an encoder that keeps asking and reads nothing is disconnected', async () => {
  const setup = await serveIngest();
  const client = await goLive(setup);
  client.socket.pause();
  const asking = message(
    {},
    Buffer.from('\u0002\u0000\u000ccreateStream\u0000??????\u0000\u0000\u0005', 'latin1'),
  );
  const many = Buffer.concat(Array.from({ length: 20_000 }, () => asking));
  const writing = setInterval(() => client.socket.write(many), 20);
  onTestFinished(() => clearInterval(writing));
  await expect.poll(() => setup.isLive()).toBe(false);
});

/** Sends bytes, and then frames for ever, as fast as possible. */
const flood = `
  const [, port, beginning, frame] = process.argv;
  const socket = require('node:net').connect(Number(port), '127.0.0.1');
  const bytes = Buffer.concat([Buffer.from(frame, 'base64'), Buffer.alloc(500_000, 1)]);
  const send = () => { while (socket.write(bytes)); };
  socket.on('drain', send);
  socket.write(Buffer.from(beginning, 'base64'));
  setTimeout(send, 500);
`;

/** The milliseconds within which half of the requests are answered. The slowest only show how busy the machine is. */
async function median({ server }: Served): Promise<number> {
  const headers = { authorization: 'Bearer test-demo' };
  const times: number[] = [];
  for (let number = 0; number < byNight(2_000, 200); number++) {
    const begin = performance.now();
    await (await fetch(`${server.baseUrl}/stream`, { headers })).text();
    times.push(performance.now() - begin);
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

/** The bytes that this thread uses. The resident size would include the tests of other threads. */
function memory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('while an encoder sends as fast as it can, others are served and memory does not grow', async () => {
  const setup = await serveIngest();
  await median(setup);
  const before = { median: await median(setup), memory: memory() };
  const beginning = Buffer.concat([publishing(setup.address), chunkSize(megabyte)]);
  const frame = message({ channel: 6, type: 9, length: 500_000 }, Buffer.alloc(0));
  const messages = [beginning, frame].map((bytes) => bytes.toString('base64'));
  const { port } = new URL(setup.address);
  const child = spawn(process.execPath, ['-e', flood, port, ...messages], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => setup.isLive()).toBe(true);
  // The slower of two measurements only shows how busy the machine is.
  const medians = [await median(setup), await median(setup)];
  expect(Math.min(...medians)).toBeLessThan(2 * before.median + 2);
  expect(memory() - before.memory).toBeLessThan(80 * megabyte);
  expect(setup.isLive()).toBe(true);
});
