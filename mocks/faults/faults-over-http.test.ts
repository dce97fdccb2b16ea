import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type MockServer, startServer } from '../adapters/node/http-server.ts';
import { createMock } from '../mock.ts';
import type { World } from '../service/world-handle.ts';
import type { Fault } from './fault.ts';

const headers = { authorization: 'Bearer test-demo' };

interface Stage {
  readonly world: World;
  readonly server: MockServer;
}

/** Sends bytes; what comes back, and how the connection ends. */
function talk({ server }: Stage, line: string): Promise<{ answer: string; ended: string }> {
  return new Promise((resolve) => {
    const { socket, lines } = open(server, line);
    let answer = '';
    let ended = 'closed';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      ended = code ?? '';
    });
    socket.on('close', () => resolve({ answer, ended }));
    socket.write(lines);
  });
}

function open(server: MockServer, line: string): { socket: Socket; lines: string } {
  const { port } = new URL(server.origin);
  const socket = connect({ port: Number(port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  return { socket, lines: asked(line) };
}

function asked(line: string): string {
  return `${line} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer test-demo\r\n\r\n`;
}

// The second one replaces globals, which stays so until this file's process ends.
describe.each([false, true])('of a server that owns its process (%s),', (ownsProcess) => {
  async function serveFaulty(fault: Fault, now?: () => number): Promise<Stage> {
    const mock = createMock({ world: 'demo', faults: [fault], ...(now && { now }) });
    const server = await startServer(mock, {
      port: 0,
      controlOrigins: [],
      host: '127.0.0.1',
      ownsProcess,
    });
    onTestFinished(() => server.close());
    return { world: await mock.world(), server };
  }

  test('a connection is reset before a byte of the answer', async () => {
    const stage = await serveFaulty({ effect: 'reset' });
    expect(await talk(stage, 'GET /api/stream')).toEqual({ answer: '', ended: 'ECONNRESET' });
    expect(stage.world.requests()).toMatchObject([
      { operation: 'listStreams', answer: { status: 0 } },
    ]);
  });

  test('a connection that is reset behind another answer ends, and the client does not wait', async () => {
    const stage = await serveFaulty({ effect: 'reset', operation: 'listSessions' });
    const { answer } = await talk(stage, `${asked('GET /api/stream')}GET /api/session`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
    expect(stage.world.requests().map(({ answer: { status } }) => status)).toEqual([200, 0]);
  });

  test('half of a body comes, of a length that was told, and the connection ends', async () => {
    const stage = await serveFaulty({ effect: 'truncate' });
    const start = performance.now();
    const { answer } = await talk(stage, 'GET /api/stream');
    // At once, and not when Node gives up a connection that is idle.
    expect(performance.now() - start).toBeLessThan(3_000);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const told = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).toBe(Math.ceil(told / 2));
  });

  test('half of an MP4 comes, and then its connection ends', async () => {
    const stage = await serveFaulty({ effect: 'truncate', operation: 'recordingMp4' });
    const { world, server } = stage;
    const { id } = await world.createStream({ name: 'long', record: true });
    const session = await world.start(id, { duration: 30 });
    world.clock.advance('1s');
    const answer = await fetch(`${server.origin}/recordings/${session.id}/source.mp4`);
    const told = Number(answer.headers.get('content-length'));
    let came = 0;
    const reading = (async () => {
      for await (const part of answer.body ?? []) came += part.length;
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(came).toBe(Math.ceil(told / 2));
  });

  test('a HEAD has no body to spoil, and leaves the fault to the next request', async () => {
    const stage = await serveFaulty({ effect: 'truncate', times: 1 });
    const url = `${stage.server.baseUrl}/stream`;
    const head = await fetch(url, { method: 'HEAD', headers });
    expect(head.status).toBe(200);
    await expect(fetch(url, { headers }).then((answer) => answer.text())).rejects.toThrow();
  });

  test('a HEAD is refused and reset as a GET is', async () => {
    const stage = await serveFaulty({ effect: 'status', status: 503, times: 1 });
    const url = `${stage.server.baseUrl}/stream`;
    const head = await fetch(url, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([503, '']);
    stage.world.addFault({ effect: 'reset' });
    await expect(fetch(url, { method: 'HEAD', headers })).rejects.toThrow('fetch failed');
  });

  test('a body trickles in pieces over time', async () => {
    const stage = await serveFaulty({ effect: 'drip', bytesPerSecond: 10_000 }, Date.now);
    const start = performance.now();
    const answer = await fetch(`${stage.server.baseUrl}/stream`, { headers });
    const lengths: number[] = [];
    for await (const part of answer.body ?? []) lengths.push(part.length);
    const length = lengths.reduce((sum, part) => sum + part, 0);
    expect(length).toBe(Number(answer.headers.get('content-length')));
    expect(lengths.length).toBeGreaterThanOrEqual(Math.floor(length / 1000) - 1);
    expect(performance.now() - start).toBeGreaterThan(length / 10 - 150);
  });

  test.each<Fault>([
    { effect: 'delay', delay: '1h' },
    { effect: 'drip', bytesPerSecond: 1 },
  ])('a client that goes away leaves no timer of %j behind', async (fault) => {
    const stage = await serveFaulty(fault, Date.now);
    const started = vi.spyOn(globalThis, 'setTimeout');
    const stopped = vi.spyOn(globalThis, 'clearTimeout');
    onTestFinished(() => void vi.restoreAllMocks());
    const lastTimer = () => {
      const last = started.mock.calls.findLastIndex(([, wait = 0]) => wait > 900);
      return started.mock.results[last]?.value;
    };
    const { socket, lines } = open(stage.server, 'GET /api/stream');
    socket.write(lines);
    await expect.poll(lastTimer).toBeDefined();
    socket.destroy();
    await expect.poll(() => stopped.mock.calls.flat().includes(lastTimer())).toBe(true);
  });
});
