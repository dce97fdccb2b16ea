import '../promise-with-resolvers.test-support.ts';
import type { setupServer } from 'msw/node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMock, type Mock } from '../../mock.ts';

interface Msw {
  readonly setupServer: typeof setupServer;
  readonly handlers: typeof import('./msw.ts').handlers;
}

/** Loads a major of MSW, and the handlers over it. */
async function load(name: 'msw' | 'msw-next'): Promise<Msw> {
  if (name === 'msw-next') {
    vi.resetModules();
    vi.doMock('msw', () => import('msw-next'));
  }
  const server = name === 'msw' ? await import('msw/node') : await import('msw-next/node');
  const { handlers } = await import('./msw.ts');
  return { setupServer: server.setupServer as unknown as typeof setupServer, handlers };
}

/** One option, by its names in MSW 2 and MSW 3. */
const bypassOthers = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;

const baseUrl = 'https://livestream.test/api';
const control = 'https://livestream.test/_mock';
const headers = { authorization: 'Bearer test-demo' };

describe.each(['msw', 'msw-next'] as const)('with %s in Node,', (name) => {
  const mock = createMock({ recordingDelay: 0 });
  /** Bytes of responses that the mock has made. */
  let made = 0;
  const counted: Mock = {
    ...mock,
    async fetch(request) {
      const response = await mock.fetch(request);
      const count = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          made += chunk.length;
          controller.enqueue(chunk);
        },
      });
      return response.body === null
        ? response
        : new Response(response.body.pipeThrough(count), response);
    },
  };
  let server: ReturnType<typeof setupServer>;

  beforeAll(async () => {
    const { setupServer, handlers } = await load(name);
    server = setupServer(...handlers(counted, { baseUrl }));
    server.listen(bypassOthers);
  });

  afterAll(() => {
    server.close();
    vi.doUnmock('msw');
    vi.resetModules();
  });

  test('little more is made of ten hours of media than is read', async () => {
    const world = await mock.world();
    const { id } = await world.createStream({ name: 'recorded', record: true });
    const { mp4URL = '' } = await world.start(id, { duration: 36_000 });
    made = 0;
    const response = await fetch(mp4URL);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(5e8);
    const reader = response.body?.getReader();
    for (let read = 0; read < 2 ** 20; ) read += (await reader?.read())?.value?.length ?? 0;
    // MSW 2 holds a copy of the response, so this does not resolve.
    void reader?.cancel();
    expect(made).toBeGreaterThanOrEqual(2 ** 20);
    expect(made).toBeLessThan(2 ** 23);
  });

  test('events end when the client aborts, however often they are requested', async () => {
    for (let count = 0; count < 60; count++) {
      const client = new AbortController();
      const { signal } = client;
      const response = await fetch(`${control}/events`, { headers, signal });
      expect(response.status).toBe(200);
      const reader = response.body?.getReader();
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('event: clock');
      client.abort();
      await expect(reader?.read()).rejects.toThrow('aborted');
    }
  });
});
