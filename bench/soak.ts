/**
 * `npm run soak -- --minutes 10` loads one server with a hundred worlds, under faults, and tells
 * whether its memory stays flat. It talks to loopback only.
 */
import { parseArgs } from 'node:util';
import { createRandom, type Random } from '../fixtures/random.ts';
import { residentMegabytes, type Server, serveMock } from './measure/processes.ts';
import { judgeSoak, type Traffic } from './soak-verdict.ts';

const worlds = 100;
const clients = 16;
const mostStreams = 30;
/** Milliseconds between two looks at the memory. */
const interval = 5_000;

interface Client {
  readonly origin: string;
  readonly traffic: Traffic;
  readonly random: Random;
}

interface Listed {
  readonly id: string;
  readonly mp4URL?: string;
}

type Send = (request: string, body?: object, range?: string) => Promise<Listed[]>;

const faults = [
  { effect: 'status', status: 503, retryAfter: 1 },
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'malformed' },
  { effect: 'delay', delay: { from: 1, to: 50 } },
  { effect: 'drip', bytesPerSecond: 100_000, operation: 'listStreams' },
  { effect: 'recording-failed' },
] as const;

/** What a client or a tester does, with some stream of the world; all are equally frequent. */
const actions: readonly ((send: Send, stream: string, random: Random) => Promise<unknown>)[] = [
  (send) => send('POST /api/stream', { name: 'soak', record: true }),
  (send) => send('GET /api/session?limit=100'),
  (send, stream) => send(`GET /api/stream/${stream}/sessions?record=1`),
  (send, stream, random) =>
    send(`POST /_mock/streams/${stream}/start`, { duration: random.integer(1, 36_000) }),
  (send, stream) => send(`POST /_mock/streams/${stream}/start`),
  (send, stream) => send(`POST /_mock/streams/${stream}/stop`),
  async (send) => {
    const [session] = await send('GET /api/session?record=1&limit=1');
    const { pathname } = new URL(session?.mp4URL ?? 'http://none/recordings/none/source.mp4');
    return send(`GET ${pathname}`, undefined, 'bytes=0-999999');
  },
  (send, _, random) =>
    send('POST /_mock/faults', { ...faults[random.integer(0, faults.length - 1)], times: 3 }),
  (send) => send('DELETE /_mock/faults'),
  (send) => send('GET /_mock/requests?status=5xx'),
  (send) => send('PUT /_mock/snapshots/kept'),
  (send) => send('POST /_mock/snapshots/kept/restore'),
  (send) => send('POST /_mock/clock', { advance: '1m' }),
  (send) => send('GET /_mock/events'),
  (send, _, random) => send(random.integer(1, 50) === 1 ? 'POST /_mock/reset' : 'GET /api/nowhere'),
];

/** Sends one request after another until the time is up, each in a random world. */
async function drive(client: Client, until: number): Promise<void> {
  const { random } = client;
  while (performance.now() < until) {
    const apiKey = `test-soak-${random.integer(1, worlds)}`;
    const send: Send = (request, body, range) => sendOne(client, apiKey, request, body, range);
    const streams = await send('GET /api/stream?limit=1000');
    for (const { id } of streams.slice(mostStreams)) await send(`DELETE /api/stream/${id}`);
    const stream = streams[random.integer(0, Math.max(0, streams.length - 1))]?.id ?? 'none';
    await actions[random.integer(0, actions.length - 1)]?.(send, stream, random);
  }
}

/** Sends a request and reads its response; returns the list that it holds, if any. */
async function sendOne(
  { origin, traffic }: Client,
  apiKey: string,
  request: string,
  body?: object,
  range?: string,
): Promise<Listed[]> {
  const [method = '', path = ''] = request.split(' ');
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(range && { range }),
  };
  const signal = AbortSignal.timeout(20_000);
  try {
    const json = body ? { body: JSON.stringify(body) } : {};
    const response = await fetch(origin + path, { method, headers, signal, ...json });
    const text = await readText(response);
    traffic.answered += 1;
    traffic.statuses.set(response.status, (traffic.statuses.get(response.status) ?? 0) + 1);
    return response.ok && text.startsWith('[') ? JSON.parse(text) : [];
  } catch {
    traffic.broken += 1;
    return [];
  }
}

/** The body; of a stream of events, which does not end, the first part. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
    return response.text();
  const reader = response.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return '';
}

async function watchMemory({ pid }: Server, until: number): Promise<number[]> {
  const samples: number[] = [];
  while (performance.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, interval);
    });
    samples.push(await residentMegabytes(pid));
    process.stdout.write(`${samples.at(-1)?.toFixed(0)} `);
  }
  return samples;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  throw new RangeError(`option --minutes: expected 1 to 1440, got ${values.minutes}`);
}
const server = await serveMock();
const traffic: Traffic = { answered: 0, broken: 0, statuses: new Map() };
const until = performance.now() + minutes * 60_000;
const lanes = Array.from({ length: clients }, (_, lane) =>
  drive({ origin: server.origin, traffic, random: createRandom(`soak ${lane}`) }, until),
);
const [samples] = await Promise.all([watchMemory(server, until), ...lanes]);
await server.stop();
const { report, errors } = judgeSoak(samples, traffic);
process.stdout.write(`\n${[...report, ...errors].join('\n')}\n`);
process.exitCode = errors.length > 0 ? 1 : 0;
