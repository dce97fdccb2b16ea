import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { statusesOf, talk } from '../../http/sockets.test-support.ts';
import { createMock } from '../../mock.ts';
import { startServer } from './http-server.ts';
import { createPipelining } from './pipelining.ts';

const plan = { host: '127.0.0.1', port: 0, controlOrigins: [], ownsProcess: false } as const;

/** Serves the responses of `fetch`. */
async function serveResponses(fetch: (request: Request) => Promise<Response>) {
  const server = await startServer({ ...createMock(), fetch }, plan);
  onTestFinished(() => server.close());
  return { origin: server.origin, port: Number(new URL(server.origin).port) };
}

function requests(count: number, last = ''): string {
  const lines = Array.from({ length: count }, (_, index) => `GET /${index} HTTP/1.1\r\nHost: a`);
  return `${lines.join('\r\n\r\n')}${last}\r\n\r\n`;
}

test('pipelined requests are carried out one at a time and answered in their order', async () => {
  let running = 0;
  let most = 0;
  const { port } = await serveResponses(async ({ url }) => {
    running += 1;
    most = Math.max(most, running);
    await nextTurn();
    running -= 1;
    return new Response(`<${new URL(url).pathname}>`);
  });
  const bytes = requests(300, '\r\nConnection: close');
  const received = await talk(port, { bytes, after: 'wait' });
  const paths = [...received.matchAll(/<\/(\d+)>/g)].map(([, index]) => Number(index));
  expect(paths).toEqual(Array.from({ length: 300 }, (_, index) => index));
  expect(most).toBe(1);
});

test('a client that closes its side after several requests gets all responses', async () => {
  const { port } = await serveResponses(async () => new Response('here'));
  const received = await talk(port, { bytes: requests(20), after: 'end' });
  expect(statusesOf(received.replaceAll('here', '\n'))).toHaveLength(20);
});

test('large responses are not made before the client reads', async () => {
  let made = 0;
  const body = 'x'.repeat(16 * 1024 * 1024);
  const { origin, port } = await serveResponses(async ({ url }) => {
    if (url.endsWith('/other')) return new Response('here');
    made += 1;
    return new Response(body);
  });
  const client = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => {
    client.destroy();
  });
  client.pause().write(requests(500));
  await expect.poll(() => made).toBe(1);
  for (let turn = 0; turn < 50; turn += 1) {
    expect(await (await fetch(`${origin}/other`)).text()).toBe('here');
  }
  expect(made).toBe(1);
});

test('no more requests are read from a connection while many wait', async () => {
  const awaitTurn = createPipelining();
  let waiting = 0;
  let most = 0;
  const server = createServer(async (incoming, outgoing) => {
    waiting += 1;
    most = Math.max(most, waiting);
    if (outgoing.socket === null) await awaitTurn(incoming, outgoing);
    if (incoming.url === '/0') for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    waiting -= 1;
    outgoing.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const bytes = requests(20_000, '\r\nConnection: close');
  const received = await talk(port, { bytes, after: 'wait' });
  expect(statusesOf(received)).toHaveLength(20_000);
  // As many as fit into two of the chunks that Node reads.
  expect(most).toBeLessThan((2 * 64 * 1024) / (bytes.length / 20_000));
});
