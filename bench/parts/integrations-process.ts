/**
 * Times calls through MSW, which replaces `fetch`, in a process of its own:
 * node --import tsx integrations-process.ts FOLDER CALLS
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import { send, timed } from '../measure/requests.ts';
import type { CannedResponse } from '../measure/sample.ts';
import { interleaved } from '../measure/statistics.ts';

/** Median milliseconds of a call. */
export interface CallTimes {
  readonly operation: string;
  readonly ours: number;
  readonly bare: number;
}

const origin = 'http://livestream.test';
const [folder = '', calls = ''] = process.argv.slice(2);
const canned: CannedResponse[] = JSON.parse(readFileSync(join(folder, 'canned.json'), 'utf8'));
const bodies: Readonly<Record<string, string | undefined>> = {
  record: send('PATCH', '', { record: true }, 204).body,
  create: send('POST', '', { name: 'Harbour camera' }, 201).body,
};

/** This package's handlers, from `dist/`. */
async function ourHandlers(): Promise<RequestHandler[]> {
  const dist = new URL('../../dist/', import.meta.url);
  const { createMock }: typeof import('../../mocks/index.ts') = await import(`${dist}index.js`);
  const msw: typeof import('../../mocks/adapters/msw/msw.ts') = await import(`${dist}msw.js`);
  return msw.handlers(createMock({ world: 'demo', now: Date.now }), { baseUrl: `${origin}/api` });
}

function bareHandler({ method, path, status, headers, file }: CannedResponse): RequestHandler {
  const body = status === 204 ? null : readFileSync(file);
  const on = { GET: http.get, POST: http.post, PATCH: http.patch }[method] ?? http.all;
  return on(origin + path.split('?')[0], async ({ request }) => {
    if (method !== 'GET') await request.arrayBuffer();
    return new HttpResponse(body, { status, headers });
  });
}

async function call({ method, operation, path, status }: CannedResponse): Promise<void> {
  const body = bodies[operation] ?? null;
  const headers = { authorization: 'Bearer test-demo', 'content-type': 'application/json' };
  const response = await fetch(origin + path, { method, headers, body });
  await response.arrayBuffer();
  if (response.status === status) return;
  throw new Error(`${method} ${origin}${path}: expected ${status}, got ${response.status}`);
}

const ours = await ourHandlers();
const server = setupServer(...ours);
server.listen({ onUnhandledRequest: 'error' });
const times: CallTimes[] = [];
for (const response of canned.filter(({ path }) => path.startsWith('/api'))) {
  const bare = [bareHandler(response)];
  const medians = await interleaved([ours, bare], Number(calls), (handlers) => {
    // Only one set is active, because MSW tries handlers in order.
    server.resetHandlers(...handlers);
    return timed(() => call(response));
  });
  const { operation } = response;
  times.push({ operation, ours: medians.get(ours) ?? 0, bare: medians.get(bare) ?? 0 });
}
server.close();
process.stdout.write(JSON.stringify(times));
