/**
 * Times calls through MSW, which replaces `fetch`: node --import tsx doors-process.ts FOLDER CALLS
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { CannedAnswer } from './sample.ts';
import { interleaved } from './statistics.ts';
import { send } from './work.ts';

/** Median milliseconds of a call. */
export interface DoorTimes {
  readonly operation: string;
  readonly door: number;
  readonly bare: number;
}

const [folder = '', calls = ''] = process.argv.slice(2);
const answers: CannedAnswer[] = JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'));
const bodies: Readonly<Record<string, string | undefined>> = {
  record: send('PATCH', '', { record: true }, 204).body,
  create: send('POST', '', { name: 'Harbour camera' }, 201).body,
};

/** The door as it is built, with the world that the canned answers come from. */
async function doorHandlers(origin: string): Promise<RequestHandler[]> {
  const dist = new URL('../dist/', import.meta.url);
  const { createMock }: typeof import('../mocks/index.ts') = await import(`${dist}index.js`);
  const { handlers }: typeof import('../mocks/adapters/msw/msw.ts') = await import(`${dist}msw.js`);
  return handlers(createMock({ world: 'demo', now: Date.now }), { baseUrl: `${origin}/api` });
}

function bareHandler(origin: string, answer: CannedAnswer): RequestHandler {
  const { method, path, status, headers, file } = answer;
  const body = status === 204 ? null : readFileSync(file);
  const on = method === 'GET' ? http.get : method === 'POST' ? http.post : http.patch;
  return on(origin + path.split('?')[0], async ({ request }) => {
    if (method !== 'GET') await request.arrayBuffer();
    return new HttpResponse(body, { status, headers });
  });
}

async function timeCall(origin: string, answer: CannedAnswer): Promise<number> {
  const { method, operation, path, status } = answer;
  const body = bodies[operation] ?? null;
  const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
  const before = performance.now();
  const response = await fetch(origin + path, { method, headers, body });
  await response.arrayBuffer();
  const time = performance.now() - before;
  if (response.status === status) return time;
  throw new Error(`${method} ${origin}${path}: expected ${status}, got ${response.status}`);
}

const origin = 'http://livestream.test';
const door = await doorHandlers(origin);
const server = setupServer(...door);
server.listen({ onUnhandledRequest: 'error' });

async function timeOperation(answer: CannedAnswer): Promise<DoorTimes> {
  const bare = [bareHandler(origin, answer)];
  const medians = await interleaved([door, bare], Number(calls), (handlers) => {
    // Each alone, as MSW tries one handler after another.
    server.resetHandlers(...handlers);
    return timeCall(origin, answer);
  });
  const { operation } = answer;
  return { operation, door: medians.get(door) ?? 0, bare: medians.get(bare) ?? 0 };
}

const times: DoorTimes[] = [];
for (const answer of answers) {
  if (answer.path.startsWith('/api')) times.push(await timeOperation(answer));
}
server.close();
process.stdout.write(JSON.stringify(times));
