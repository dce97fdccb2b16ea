import { HttpResponse, http, type RequestHandler } from 'msw';
import { setupServer } from 'msw/node';
import type { BenchRun } from './bench-run.ts';
import { get, send, timed, type Work } from './requests.ts';
import { interleaved } from './statistics.ts';
import { ratioAtMost, type Target } from './targets.ts';

const origin = 'http://livestream.test';

/** What a call takes through MSW, beside a handler of MSW that sends the same bytes. */
export async function measureMsw({ extent, say }: BenchRun): Promise<Target[]> {
  say('msw: calls through MSW, in this process');
  const ours = await ourHandlers();
  const server = setupServer(...ours);
  server.listen({ onUnhandledRequest: 'error' });
  const [{ id = '' } = {}] = (await (await call(get('/api/stream'))).json()) as { id: string }[];
  const works = {
    list: get(`/api/stream/${id}/sessions`),
    retrieve: get(`/api/stream/${id}`),
    record: send('PATCH', `/api/stream/${id}/record`, { record: true }, 204),
    create: send('POST', '/api/stream', { name: 'Harbour camera' }, 201),
  };
  const targets: Target[] = [];
  for (const [name, work] of Object.entries(works)) {
    const handlers = { ours, bare: [await bareHandler(work)] };
    const times = await interleaved(['ours', 'bare'], extent.requests, (side) => {
      // Only one set is active, because MSW tries handlers in order.
      server.resetHandlers(...handlers[side]);
      return timed(async () => (await call(work)).arrayBuffer());
    });
    const title = `${name} through MSW, beside a bare handler`;
    targets.push(ratioAtMost(1.3, title, times.ours, times.bare));
    server.resetHandlers(...ours);
  }
  server.close();
  return targets;
}

/** This package's handlers, from `dist/`. */
async function ourHandlers(): Promise<RequestHandler[]> {
  const dist = new URL('../dist/', import.meta.url);
  const { createMock }: typeof import('../mocks/index.ts') = await import(`${dist}index.js`);
  const msw: typeof import('../mocks/adapters/msw/msw.ts') = await import(`${dist}msw.js`);
  return msw.handlers(createMock({ world: 'demo', now: Date.now }), { baseUrl: `${origin}/api` });
}

/** A handler that sends what ours responds now. */
async function bareHandler(work: Work): Promise<RequestHandler> {
  const response = await call(work);
  const { status, headers } = response;
  const body = status === 204 ? null : await response.arrayBuffer();
  return http.all(origin + work.path, async ({ request }) => {
    if (work.method !== 'GET') await request.arrayBuffer();
    return new HttpResponse(body, { status, headers });
  });
}

async function call({ path, status, ...init }: Work): Promise<Response> {
  const response = await fetch(origin + path, init);
  if (response.status === status) return response;
  throw new Error(`${init.method} ${origin}${path}: expected ${status}, got ${response.status}`);
}
