import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { watchMemory } from '../memory.test-support.ts';
import type { Exchange } from '../model/report.ts';
import { bomb, serveHttp, serveRaw, writeForever } from '../servers.test-support.ts';
import { CheckFailure, NoResponse } from './failure.ts';
import { readTarget } from './read-target.ts';
import { callTarget, type Target } from './target.ts';

const timeout = 1_000;
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const megabyte = 1024 * 1024;
const brotliBomb = brotliCompressSync(Buffer.alloc(64 * megabyte));

type Ending = [kind: typeof NoResponse | typeof CheckFailure, message: RegExp];

interface Row<Respond> {
  readonly does: string;
  readonly ending: Ending;
  readonly respond: Respond;
}

const rawTargets: readonly Row<(socket: Socket) => void>[] = [
  {
    does: 'accepts and never responds',
    ending: [NoResponse, /not complete within 1000 ms/],
    respond: () => {},
  },
  {
    does: 'begins its headers and hangs',
    ending: [NoResponse, /not complete within 1000 ms/],
    respond: (socket) => socket.write(start),
  },
  {
    does: 'sends headers and hangs',
    ending: [NoResponse, /it was not complete within 1000 ms/],
    respond: (socket) => socket.write(`${start}content-length: 10\r\n\r\n`),
  },
  {
    does: 'sends headers without end, slowly',
    ending: [NoResponse, /not complete within 1000 ms/],
    respond: (socket) => repeat(socket, 'x-drip: a\r\n', start),
  },
  {
    does: 'sends its body slowly',
    ending: [NoResponse, /not complete within 1000 ms/],
    respond: (socket) => repeat(socket, 'a', `${start}content-length: 100000\r\n\r\n`),
  },
  {
    does: 'closes at once',
    ending: [NoResponse, /the other side closed the connection \(ECONNRESET\)/],
    respond: (s) => s.end(),
  },
  {
    does: 'breaks the connection at once',
    ending: [NoResponse, /ECONNRESET/],
    respond: (socket) => socket.resetAndDestroy(),
  },
  {
    does: 'closes after its headers',
    ending: [CheckFailure, /after status 200 the other side closed/],
    respond: (socket) => socket.end(`${start}content-length: 10\r\n\r\n`),
  },
  {
    does: 'closes within its body',
    ending: [CheckFailure, /after status 200 the other side closed/],
    respond: (socket) => socket.end(`${start}content-length: 10\r\n\r\n{"id"`),
  },
  {
    does: 'closes within a chunk',
    ending: [CheckFailure, /after status 200 the other side closed/],
    respond: (socket) => socket.end(`${start}transfer-encoding: chunked\r\n\r\n10\r\n{"id"`),
  },
  {
    does: 'switches protocols',
    ending: [NoResponse, /the connection was closed/],
    respond: (socket) =>
      socket.write('HTTP/1.1 101 Hi\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  },
  {
    does: 'speaks no HTTP',
    ending: [NoResponse, /HPE_INVALID_CONSTANT|Expected HTTP/],
    respond: (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  },
  {
    does: 'sends two lengths',
    ending: [NoResponse, /Content-Length|HPE_UNEXPECTED_CONTENT_LENGTH/],
    respond: (socket) => socket.end(`${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  },
  {
    does: 'sends a malformed chunk',
    ending: [CheckFailure, /chunk size|HPE_INVALID_CHUNK_SIZE/],
    respond: (socket) =>
      socket.end(`${start}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  },
  {
    does: 'floods with headers',
    ending: [NoResponse, /Header overflow/],
    respond: (socket) => {
      socket.write(start);
      writeForever(socket, 'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000));
    },
  },
  {
    does: 'floods with chunks of one byte',
    ending: [NoResponse, /more than 4194304 bytes|not complete within/],
    respond: (socket) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\n`);
      writeForever(socket, '1\r\na\r\n'.repeat(20_000));
    },
  },
  {
    does: 'sends a body without end',
    ending: [NoResponse, /more than 4194304 bytes|not complete within/],
    respond: (socket) => {
      socket.write(`${start}connection: close\r\n\r\n`);
      writeForever(socket, Buffer.alloc(megabyte, 'a'));
    },
  },
];

const httpTargets: readonly Row<RequestListener>[] = [
  {
    does: 'sends 10 MB of HTML',
    ending: [NoResponse, /more than 4194304 bytes/],
    respond: (_, response) =>
      response.setHeader('content-type', 'text/html').end(`<p>${'a'.repeat(10 * megabyte)}`),
  },
  {
    does: 'sends a compressed bomb',
    ending: [NoResponse, /more than 4194304 bytes/],
    respond: (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
  },
  {
    does: 'sends a bomb of Brotli',
    ending: [NoResponse, /its content-encoding br is not read: expected none, gzip or deflate/],
    respond: (_, response) => response.setHeader('content-encoding', 'br').end(brotliBomb),
  },
  {
    does: 'packs its body with Zstandard',
    ending: [NoResponse, /its content-encoding zstd is not read: expected none, gzip or deflate/],
    respond: (_, response) => response.setHeader('content-encoding', 'ZSTD').end('x'),
  },
  {
    does: 'packs its body fifty times',
    ending: [NoResponse, /its content-encoding is not read: expected none, gzip or deflate/],
    respond: (_, response) =>
      response.setHeader('content-encoding', new Array(50).fill('gzip').join(', ')).end(bomb),
  },
  {
    does: 'lies about its compression',
    ending: [CheckFailure, /after status 200 .*(Z_DATA_ERROR|incorrect header check)/],
    respond: (_, response) => response.setHeader('content-encoding', 'gzip').end('{"id": 1}'),
  },
];

describe('an exchange ends, says why, and takes little memory, if a target', () => {
  test.each(rawTargets)('$does', async ({ ending, respond }) => {
    await expectEnding((await serveRaw(respond)).origin, ending);
  });

  test.each(httpTargets)('$does', async ({ ending, respond }) => {
    await expectEnding((await serveHttp(respond)).origin, ending);
  });
});

async function expectEnding(origin: string, [kind, message]: Ending): Promise<void> {
  const notes: Exchange[] = [];
  const memory = watchMemory();
  // Only where the time limit is what ends the exchange is it short.
  const isTimed = message.source.includes('not complete');
  const asked = { ...target(origin), timeout: isTimed ? timeout : 20_000 };
  const error = await callTarget(asked, { method: 'GET', path: '/' }, (note) =>
    notes.push(note),
  ).catch((caught: unknown) => caught);
  expect(memory.most()).toBeLessThan(150 * megabyte);
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).toMatch(message);
  expect(String(error)).toContain(`GET ${origin}/`);
  expect(notes).toHaveLength(1);
  expect(notes[0]?.failure).toMatch(message.source.includes('after status') ? /./ : message);
}

const packers = { gzip: gzipSync, 'X-GZIP': gzipSync, deflate: deflateSync };

test.each(Object.entries(packers))('a body that is packed with %s is read', async (name, pack) => {
  const { origin, received } = await serveHttp((_, response) =>
    response.setHeader('content-encoding', name).end(pack('{"id": 1}')),
  );
  const { text } = await callTarget(target(origin), { method: 'GET', path: '/' }, () => {});
  expect(text).toBe('{"id": 1}');
  expect(received[0]?.headers['accept-encoding']).toBe('identity');
});

test('a status that HTTP does not know is read', async () => {
  const { origin } = await serveRaw((s) => s.end('HTTP/1.1 999 Hi\r\ncontent-length: 2\r\n\r\n[]'));
  const response = await callTarget(target(origin), { method: 'GET', path: '/' }, () => {});
  expect(response).toMatchObject({ status: 999, text: '[]' });
});

test('a target that closes connections after its responses, and does not say so, is read', async () => {
  const { origin } = await serveRaw((socket) => socket.end(`${start}content-length: 2\r\n\r\n[]`));
  const one = target(origin);
  one.gate.adopt('a');
  for (let count = 0; count < 20; count++) {
    for (const line of ['POST /stream', 'GET /stream', 'DELETE /stream/a']) {
      const [method = '', path = ''] = line.split(' ');
      const { text } = await callTarget(one, { method, path }, () => {});
      expect(text).toBe('[]');
    }
  }
});

test('a body that breaks off after nobody reads it any more harms nothing', async () => {
  const uncaught: unknown[] = [];
  const listen = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', listen);
  onTestFinished(() => void process.off('uncaughtException', listen));
  const { origin } = await serveRaw((socket) => {
    socket.write(`${start}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`);
    setTimeout(() => socket.end('zz\r\n'), 150);
  });
  const slow = { ...target(origin), timeout: 100 };
  const call = callTarget(slow, { method: 'GET', path: '/' }, () => {});
  await expect(call).rejects.toThrow(/not complete within 100 ms/);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(uncaught).toEqual([]);
});

/** Writes the same text repeatedly until the connection ends. */
function repeat(socket: Socket, text: string, before: string): void {
  socket.write(before);
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

function target(baseUrl: string): Target {
  return readTarget({ baseUrl, apiKey: 'test-exchange', timeout });
}
