/**
 * `npm run soak -- --minutes 10` loads one server with a hundred worlds, under faults, and tells
 * whether its memory stays flat. It talks to loopback only.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../fixtures/random.ts';
import { autocannon } from './load.ts';
import { residentMegabytes, type Server, serveMock, stopAll } from './processes.ts';
import { judgeSoak } from './soak-verdict.ts';

const worlds = 100;
const mostStreams = 30;
/** Milliseconds between two looks at the memory. */
const interval = 5_000;
const random = createRandom('soak');

const faults = [
  { effect: 'status', status: 503, retryAfter: 1 },
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'malformed' },
  { effect: 'delay', delay: { from: 1, to: 50 } },
  { effect: 'drip', bytesPerSecond: 100_000, operation: 'listStreams' },
  { effect: 'recording-failed' },
] as const;

/** A world, as the requests before have shown it; empty on a new connection. */
interface Seen {
  apiKey?: string;
  streams?: readonly { readonly id: string }[];
  sessions?: readonly { readonly mp4URL: string }[];
}

type Action = readonly [request: string, body?: object];

/** What a client or a tester does, with some stream of the world; all are equally frequent. */
const actions: readonly ((stream: string, seen: Seen) => Action)[] = [
  () => ['POST /api/stream', { name: 'soak', record: true }],
  () => ['GET /api/session?limit=100'],
  (stream) => [`GET /api/stream/${stream}/sessions?record=1`],
  (stream) => [`POST /_mock/streams/${stream}/start`, { duration: random.integer(1, 36_000) }],
  (stream) => [`POST /_mock/streams/${stream}/start`],
  (stream) => [`POST /_mock/streams/${stream}/stop`],
  (_, { sessions: [session] = [] }) => [
    `GET ${new URL(session?.mp4URL ?? 'http://none/recordings/none/source.mp4').pathname}`,
  ],
  () => ['POST /_mock/faults', { ...faults[random.integer(0, faults.length - 1)], times: 3 }],
  () => ['DELETE /_mock/faults'],
  () => ['GET /_mock/requests?status=5xx'],
  () => ['PUT /_mock/snapshots/kept'],
  () => ['POST /_mock/snapshots/kept/restore'],
  () => ['POST /_mock/clock', { advance: '1m' }],
  () => [random.integer(1, 50) === 1 ? 'POST /_mock/reset' : 'GET /api/nowhere'],
];

function chooseAction(seen: Seen): Action {
  const { streams = [] } = seen;
  if (streams.length > mostStreams) return [`DELETE /api/stream/${streams.at(-1)?.id}`];
  const stream = streams[random.integer(0, Math.max(0, streams.length - 1))]?.id ?? 'none';
  return actions[random.integer(0, actions.length - 1)]?.(stream, seen) ?? ['GET /api/stream'];
}

/** A request in autocannon's form. */
function requestOf(given: object, [line, body]: Action, { apiKey = 'test-soak-1' }: Seen) {
  const [method, path] = line.split(' ');
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body && { 'content-type': 'application/json' }),
    range: 'bytes=0-999999',
  };
  return { ...given, method, path, headers, body: body && JSON.stringify(body) };
}

function parseList(status: number, body: string): [] {
  try {
    return status === 200 ? JSON.parse(body) : [];
  } catch {
    return [];
  }
}

/** What each connection does over and over: it looks at a random world, and then acts there. */
const requests = [
  {
    setupRequest(given: object, seen: Seen) {
      seen.apiKey = `test-soak-${random.integer(1, worlds)}`;
      return requestOf(given, ['GET /api/stream?limit=1000'], seen);
    },
    onResponse(status: number, body: string, seen: Seen) {
      seen.streams = parseList(status, body);
    },
  },
  {
    setupRequest: (given: object, seen: Seen) =>
      requestOf(given, ['GET /api/session?record=1&limit=1'], seen),
    onResponse(status: number, body: string, seen: Seen) {
      seen.sessions = parseList(status, body);
    },
  },
  { setupRequest: (given: object, seen: Seen) => requestOf(given, chooseAction(seen), seen) },
];

/** Opens streams of events, which do not end, and leaves them. */
async function watchEvents({ origin }: Server, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const headers = { authorization: `Bearer test-soak-${random.integer(1, worlds)}` };
    const response = await fetch(`${origin}/_mock/events`, { headers }).catch(() => undefined);
    await response?.body?.cancel();
    await setTimeout(50);
  }
}

async function watchMemory({ pid }: Server, signal: AbortSignal): Promise<number[]> {
  const samples: number[] = [];
  while (!signal.aborted) {
    await setTimeout(interval);
    samples.push(residentMegabytes(pid));
    process.stdout.write(`${samples.at(-1)?.toFixed(0)} `);
  }
  return samples;
}

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  throw new RangeError(`option --minutes: expected 1 to 1440, got ${values.minutes}`);
}
process.on('exit', stopAll);
const server = await serveMock();
const over = new AbortController();
const watched = Promise.all([watchMemory(server, over.signal), watchEvents(server, over.signal)]);
const load = { url: server.origin, connections: 16, duration: 60 * minutes, timeout: 20, requests };
const { statusCodeStats, errors: broken } = await autocannon(load);
over.abort();
const [samples] = await watched;
await server.stop();
const statuses = Object.fromEntries(
  Object.entries(statusCodeStats).map(([status, { count }]) => [status, count]),
);
const answered = Object.values(statuses).reduce((sum, count) => sum + count, 0);
const { report, errors } = judgeSoak(samples, { answered, broken, statuses });
process.stdout.write(`\n${[...report, ...errors].join('\n')}\n`);
process.exitCode = errors.length > 0 ? 1 : 0;
