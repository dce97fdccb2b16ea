import { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type MockServer, startServer } from '../adapters/node/http-server.ts';
import { createMock } from '../mock.ts';
import type { Fault } from './fault.ts';

/** Asks for the list of streams over a connection of its own. */
function ask(server: MockServer): Socket {
  const { port } = new URL(server.origin);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  socket.write('GET /api/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer test-demo\r\n\r\n');
  return socket;
}

// The second one replaces globals until the process of this file ends.
describe.each([false, true])('on a server that owns its process: %s,', (ownsProcess) => {
  async function serveFaulty(fault: Fault, now?: () => number): Promise<MockServer> {
    const mock = createMock({ world: 'demo', faults: [fault], ...(now && { now }) });
    const server = await startServer(mock, { ownsProcess });
    onTestFinished(() => server.close());
    return server;
  }

  test('truncate sends half of the content-length, and closes the connection itself', async () => {
    const server = await serveFaulty({ effect: 'truncate' });
    const emitted = vi.spyOn(Server.prototype, 'emit');
    onTestFinished(() => void vi.restoreAllMocks());
    const received = await text(ask(server));
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).toBe(Math.ceil(length / 2));
    // If the server did nothing, Node would close the idle connection after a timeout.
    expect(emitted.mock.calls.map(([event]) => event)).not.toContain('timeout');
  });

  test.each<Fault>([
    { effect: 'delay', delay: '1h' },
    { effect: 'drip', bytesPerSecond: 1 },
  ])('a client that goes away during $effect leaves no timer behind', async (fault) => {
    const server = await serveFaulty(fault, Date.now);
    const started = vi.spyOn(globalThis, 'setTimeout');
    const stopped = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const lastTimer = () => {
      const last = started.mock.calls.findLastIndex(([, wait = 0]) => wait > 900);
      return started.mock.results[last]?.value;
    };
    const socket = ask(server);
    await expect.poll(lastTimer).toBeDefined();
    socket.destroy();
    await expect.poll(() => stopped.mock.calls.flat().includes(lastTimer())).toBe(true);
  });
});
