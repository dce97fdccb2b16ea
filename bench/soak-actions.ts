import type { Random } from '../fixtures/random.ts';

/** What has come of the requests so far. */
export interface Traffic {
  readonly origin: string;
  answered: number;
  broken: number;
  readonly statuses: Map<number, number>;
}

/** Starts the count for a server. */
export function createTraffic(origin: string): Traffic {
  return { origin, answered: 0, broken: 0, statuses: new Map() };
}

interface Scene {
  readonly traffic: Traffic;
  readonly apiKey: string;
  readonly random: Random;
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly range?: string;
}

/** Sends a request, reads its answer to the end, and returns what JSON it holds. */
async function send({ traffic, apiKey }: Scene, { method = 'GET', path, body, range }: Sent) {
  try {
    const answer = await fetch(traffic.origin + path, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(range && { range }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    });
    const text = await answer.text();
    traffic.answered += 1;
    traffic.statuses.set(answer.status, (traffic.statuses.get(answer.status) ?? 0) + 1);
    return answer.ok && text.startsWith('[') ? (JSON.parse(text) as Listed[]) : [];
  } catch {
    traffic.broken += 1;
    return [];
  }
}

interface Listed {
  readonly id: string;
  readonly mp4URL?: string;
}

const control = '/_mock';
const mostStreams = 30;

/** Some stream of the world; the oldest are deleted where there are too many. */
async function pickStream(scene: Scene): Promise<string> {
  const streams = await send(scene, { path: '/api/stream?limit=1000' }).catch(() => []);
  for (const { id } of streams.slice(mostStreams)) {
    await send(scene, { method: 'DELETE', path: `/api/stream/${id}` });
  }
  return streams[scene.random.integer(0, Math.max(0, streams.length - 1))]?.id ?? 'none';
}

/** What goes wrong, for a few requests each. */
const faults = [
  { effect: 'status', status: 503, retryAfter: 1 },
  { effect: 'reset' },
  { effect: 'truncate' },
  { effect: 'malformed' },
  { effect: 'delay', delay: { from: 1, to: 50 } },
  { effect: 'drip', bytesPerSecond: 100_000, operation: 'listStreams' },
  { effect: 'recording-failed' },
] as const;

/** What a client or a tester does; each as often as it stands here. */
export const actions: readonly ((scene: Scene) => Promise<unknown>)[] = [
  (scene) =>
    send(scene, { method: 'POST', path: '/api/stream', body: { name: 'soak', record: true } }),
  (scene) => send(scene, { path: '/api/session?limit=100' }),
  async (scene) =>
    send(scene, { path: `/api/stream/${await pickStream(scene)}/sessions?record=1` }),
  async (scene) =>
    send(scene, {
      method: 'POST',
      path: `${control}/streams/${await pickStream(scene)}/start`,
      body: { duration: scene.random.integer(1, 36_000) },
    }),
  async (scene) =>
    send(scene, { method: 'POST', path: `${control}/streams/${await pickStream(scene)}/start` }),
  async (scene) =>
    send(scene, { method: 'POST', path: `${control}/streams/${await pickStream(scene)}/stop` }),
  async (scene) => {
    const [session] = await send(scene, { path: '/api/session?record=1&limit=1' });
    const path = new URL(session?.mp4URL ?? '/recordings/none/source.mp4', scene.traffic.origin);
    return send(scene, { path: path.pathname, range: 'bytes=0-999999' });
  },
  (scene) => {
    const fault = faults[scene.random.integer(0, faults.length - 1)];
    return send(scene, { method: 'POST', path: `${control}/faults`, body: { ...fault, times: 3 } });
  },
  (scene) => send(scene, { method: 'DELETE', path: `${control}/faults` }),
  (scene) => send(scene, { path: `${control}/requests?status=5xx` }),
  (scene) => send(scene, { method: 'PUT', path: `${control}/snapshots/kept` }),
  (scene) => send(scene, { method: 'POST', path: `${control}/snapshots/kept/restore` }),
  (scene) => send(scene, { method: 'POST', path: `${control}/clock`, body: { advance: '1m' } }),
  watchForAMoment,
  (scene) =>
    scene.random.integer(1, 50) === 1
      ? send(scene, { method: 'POST', path: `${control}/reset` })
      : send(scene, { path: '/api/nowhere' }),
];

/** Listens to events, and goes away at the first. */
async function watchForAMoment({ traffic, apiKey }: Scene): Promise<void> {
  const ending = new AbortController();
  const answer = await fetch(`${traffic.origin}${control}/events`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: ending.signal,
  });
  await answer.body?.getReader().read();
  ending.abort();
  traffic.answered += 1;
}
