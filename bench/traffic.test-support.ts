import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type BenchRequest, sendRequest } from './measured-requests.ts';

/** A world, and the results of its client's requests. */
type LoadedWorld = ReturnType<typeof newWorld>;

export function newWorld(origin: string, apiKey: string) {
  return {
    origin,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    /** Ids of the streams whose creation was acknowledged, and of those whose recording was turned on. */
    created: new Set<string>(),
    recorded: new Set<string>(),
    answered: 0,
    /** Requests that were refused or cut off. */
    failed: 0,
    lastFailure: '',
    /** When it first responded after the last of these, by `performance.now()`. */
    recoveredAt: Number.POSITIVE_INFINITY,
  };
}

const agent = new Agent({ keepAlive: true });

/** Milliseconds that the client waits after a failed request. */
const pauseAfterFailure = 100;

/** Creates and reads streams, one request after another, until the time is up. */
export async function drive(world: LoadedWorld, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const body = await send(world, 'POST /api/stream', 201, { name: 'load' });
    if (body === undefined) continue;
    const { id } = JSON.parse(body);
    world.created.add(id);
    const switched = await send(world, `PATCH /api/stream/${id}/record`, 204, { record: true });
    if (switched !== undefined) world.recorded.add(id);
    await send(world, `GET /api/stream/${id}`, 200);
    await send(world, 'GET /api/stream?limit=10', 200);
  }
}

/** The text of a response; `undefined` if the request failed. */
async function send(
  world: LoadedWorld,
  line: string,
  status: number,
  json?: object,
): Promise<string | undefined> {
  const [method, path = ''] = line.split(' ') as [BenchRequest['method'], string];
  const body = json && { body: JSON.stringify(json) };
  try {
    const request = { method, path, headers: world.headers, status, ...body };
    const response = await sendRequest(world.origin, request, agent);
    world.answered += 1;
    world.recoveredAt = Math.min(world.recoveredAt, performance.now());
    return response.body.toString();
  } catch (exception) {
    world.failed += 1;
    world.lastFailure = (exception as Error).message;
    world.recoveredAt = Number.POSITIVE_INFINITY;
    await setTimeout(pauseAfterFailure);
    return undefined;
  }
}

/** The ids of the acknowledged changes that a world does not have. */
export async function lostOf({
  origin,
  headers,
  created,
  recorded,
}: LoadedWorld): Promise<string[]> {
  const kept = new Map<string, boolean>();
  let path: string | undefined = '/api/stream?limit=1000';
  while (path !== undefined) {
    const request: BenchRequest = { method: 'GET', path, headers, status: 200 };
    const { body, headers: answered } = await sendRequest(origin, request, agent);
    for (const { id, record } of JSON.parse(body.toString())) kept.set(id, record);
    path = /<https?:..[^/]+([^>]+)>/.exec(String(answered['link']))?.[1];
  }
  const lost = [...created].filter((id) => !kept.has(id));
  return [...lost, ...[...recorded].filter((id) => kept.get(id) !== true)];
}
