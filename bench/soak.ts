/**
 * `npm run soak -- --minutes 10` loads one server with a hundred worlds, under faults, and tells
 * whether its memory stays flat. It talks to loopback only.
 */
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../fixtures/random.ts';
import { residentMegabytes, serveMock, stopPrograms } from './processes.ts';
import { median } from './statistics.ts';

const worlds = 100;
const clients = 16;
const mostStreams = 30;
/** Milliseconds between two looks at the memory. */
const interval = 5_000;
/** Milliseconds after which a request counts as broken. */
const patience = 20_000;
const mostGrowth = 1.1;
/** Most of the requests that injected faults may break; a run has about one in 25. */
const mostBroken = 0.1;
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

type Action = readonly [request: string, body?: object];

/** What a client or a tester does, with some stream of the world and its recording; all are equally frequent. */
const actions: readonly ((stream: string, recording: string) => Action)[] = [
  () => ['POST /api/stream', { name: 'soak', record: true }],
  () => ['GET /api/session?limit=100'],
  (stream) => [`GET /api/stream/${stream}/sessions?record=1`],
  (stream) => [`POST /_mock/streams/${stream}/start`, { duration: random.integer(1, 36_000) }],
  (stream) => [`POST /_mock/streams/${stream}/start`],
  (stream) => [`POST /_mock/streams/${stream}/stop`],
  (_, recording) => [`GET /recordings/${recording}/source.mp4`],
  () => ['POST /_mock/faults', { ...faults[random.integer(0, faults.length - 1)], times: 3 }],
  () => ['DELETE /_mock/faults'],
  () => ['GET /_mock/requests?status=5xx'],
  () => ['PUT /_mock/snapshots/kept'],
  () => ['POST /_mock/snapshots/kept/restore'],
  () => ['POST /_mock/clock', { advance: '1m' }],
  () => [random.integer(1, 50) === 1 ? 'POST /_mock/reset' : 'GET /api/nowhere'],
];

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes >= 1 && minutes <= 24 * 60)) {
  throw new RangeError(`option --minutes: expected 1 to 1440, got ${values.minutes}`);
}
process.on('exit', stopPrograms);
const { origin, pid, stop } = await serveMock();
const end = performance.now() + 60_000 * minutes;
const isOver = () => performance.now() >= end;
const statuses: Record<number, number> = {};
let broken = 0;

/** Sends a request to a world; the ids in the response. */
async function send(world: number, [line, body]: Action): Promise<string[]> {
  const [method = '', path = ''] = line.split(' ');
  const headers = new Headers({ authorization: `Bearer test-soak-${world}` });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (path.startsWith('/recordings')) headers.set('range', 'bytes=0-999999');
  const init = { method, headers, body: JSON.stringify(body) ?? null };
  try {
    const response = await fetch(origin + path, { ...init, signal: AbortSignal.timeout(patience) });
    const text = await response.text();
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    return [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id = '']) => id);
  } catch {
    broken += 1;
    return [];
  }
}

/** Looks at a random world, and then acts there, over and over. */
async function client(): Promise<void> {
  while (!isOver()) {
    const world = random.integer(1, worlds);
    const streams = await send(world, ['GET /api/stream?limit=1000']);
    const [recording = 'none'] = await send(world, ['GET /api/session?record=1&limit=1']);
    const stream = streams[random.integer(0, Math.max(0, streams.length - 1))] ?? 'none';
    const act = actions[random.integer(0, actions.length - 1)];
    if (streams.length > mostStreams) await send(world, [`DELETE /api/stream/${stream}`]);
    else if (act !== undefined) await send(world, act(stream, recording));
  }
}

/** Opens streams of events, which do not end, and leaves them. */
async function watchEvents(): Promise<void> {
  while (!isOver()) {
    const headers = { authorization: `Bearer test-soak-${random.integer(1, worlds)}` };
    const response = await fetch(`${origin}/_mock/events`, { headers }).catch(() => undefined);
    await response?.body?.cancel();
    await setTimeout(50);
  }
}

const samples: number[] = [];

async function watchMemory(): Promise<void> {
  while (!isOver()) {
    await setTimeout(interval);
    const megabytes = residentMegabytes(pid);
    samples.push(megabytes);
    process.stdout.write(`${megabytes.toFixed(0)} `);
  }
}

/** What is wrong with the run. */
function errorsOfRun(): string[] {
  const quarter = Math.floor(samples.length / 4);
  const early = median(samples.slice(quarter, 2 * quarter));
  const late = median(samples.slice(-quarter));
  const sent = Object.values(statuses).reduce((sum, count) => sum + count, broken);
  const rules: readonly (readonly [isKept: boolean, expectation: string])[] = [
    [late <= mostGrowth * early, `expected flat memory, got ${early} MB early and ${late} MB late`],
    [statuses[500] === undefined, `expected no response 500, got ${statuses[500]}`],
    [broken < mostBroken * sent, `expected few broken requests, got ${broken} of ${sent}`],
  ];
  return rules.filter(([isKept]) => !isKept).map(([, expectation]) => expectation);
}

await Promise.all([watchMemory(), watchEvents(), ...Array.from({ length: clients }, client)]);
await stop();
const errors = errorsOfRun();
process.stdout.write(`\n${[JSON.stringify(statuses), ...errors].join('\n')}\n`);
process.exitCode = errors.length > 0 ? 1 : 0;
