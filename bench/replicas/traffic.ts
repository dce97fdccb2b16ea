import { setTimeout } from 'node:timers/promises';

/** A world, and what has come of the requests of its client. */
export interface LoadedWorld {
  readonly apiKey: string;
  /** Ids of the streams whose creation was acknowledged, and of those whose recording was switched on. */
  readonly created: Set<string>;
  readonly recorded: Set<string>;
  answered: number;
  /** Refused or broken off. */
  failed: number;
  /** When it last answered, by `performance.now()`, and the longest time between two answers. */
  answeredAt: number;
  longestGap: number;
}

export function newWorld(apiKey: string): LoadedWorld {
  const counts = { answered: 0, failed: 0, answeredAt: performance.now(), longestGap: 0 };
  return { apiKey, created: new Set(), recorded: new Set(), ...counts };
}

/** Milliseconds after which the client sends the next request when one has failed. */
const pauseAfterFailure = 100;

/** Creates streams and reads them, one request after the other, until the time is up. */
export async function drive(
  origin: string,
  world: LoadedWorld,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const stream = await send(origin, world, 'POST /api/stream', { name: 'load' });
    if (stream === undefined) continue;
    const { id } = stream as { id: string };
    world.created.add(id);
    const patch = `PATCH /api/stream/${id}/record`;
    if ((await send(origin, world, patch, { record: true })) !== undefined) world.recorded.add(id);
    await send(origin, world, `GET /api/stream/${id}`);
    await send(origin, world, 'GET /api/stream?limit=10');
  }
}

/** The acknowledged changes that a world does not have. */
export async function lostOf(origin: string, world: LoadedWorld): Promise<string[]> {
  const kept = new Map<string, boolean>();
  let path: string | undefined = '/api/stream?limit=1000';
  while (path !== undefined) {
    const response: Response = await fetch(origin + path, { headers: headersOf(world) });
    if (!response.ok) throw new Error(`${world.apiKey}: expected 200, got ${response.status}`);
    for (const { id, record } of await response.json()) kept.set(id, record);
    const next: string | undefined = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
    path = next && new URL(next).pathname + new URL(next).search;
  }
  const created = [...world.created].filter((id) => !kept.has(id));
  return [...created, ...[...world.recorded].filter((id) => kept.get(id) !== true)];
}

/** The JSON of a response, or null where it has none; nothing when the request failed. */
async function send(
  origin: string,
  world: LoadedWorld,
  request: string,
  body?: object,
): Promise<unknown> {
  const [method = '', path = ''] = request.split(' ');
  const json = body && { body: JSON.stringify(body) };
  try {
    const response = await fetch(origin + path, { method, headers: headersOf(world), ...json });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
    const now = performance.now();
    world.longestGap = Math.max(world.longestGap, now - world.answeredAt);
    world.answeredAt = now;
    world.answered += 1;
    return text === '' ? null : JSON.parse(text);
  } catch {
    world.failed += 1;
    await setTimeout(pauseAfterFailure);
    return undefined;
  }
}

function headersOf({ apiKey }: LoadedWorld): Record<string, string> {
  return { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
}
