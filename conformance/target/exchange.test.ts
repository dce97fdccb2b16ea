import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { watchMemory } from '../memory.test-support.ts';
import type { Exchange } from '../model/report.ts';
import { bomb, serveHttp, serveRaw, writeForever } from '../servers.test-support.ts';
import { CheckFailure, NoResponse } from './failure.ts';
import { callTarget, type Target } from './target.ts';

const timeout = 1_000;
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const megabyte = 1024 * 1024;

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
    ending: [NoResponse, /other side closed \(UND_ERR_SOCKET\)/],
    respond: (s) => s.end(),
  },
  {
    does: 'breaks the connection at once',
    ending: [NoResponse, /ECONNRESET/],
    respond: (socket) => socket.resetAndDestroy(),
  },
  {
    does: 'closes after its headers',
    ending: [CheckFailure, /after status 200 other side closed/],
    respond: (socket) => socket.end(`${start}content-length: 10\r\n\r\n`),
  },
  {
    does: 'closes within its body',
    ending: [CheckFailure, /after status 200 other side closed/],
    respond: (socket) => socket.end(`${start}content-length: 10\r\n\r\n{"id"`),
  },
  {
    does: 'closes within a chunk',
    ending: [CheckFailure, /after status 200 (other side closed|terminated)/],
    respond: (socket) => socket.end(`${start}transfer-encoding: chunked\r\n\r\n10\r\n{"id"`),
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
    ending: [NoResponse, /Headers Overflow Error/],
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
  const error = await callTarget(target(origin), { method: 'GET', path: '/' }, (note) =>
    notes.push(note),
  ).catch((caught: unknown) => caught);
  expect(memory.most()).toBeLessThan(150 * megabyte);
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).toMatch(message);
  expect(String(error)).toContain(`GET ${origin}/`);
  expect(notes).toHaveLength(1);
  expect(notes[0]?.failure).toMatch(message.source.includes('after status') ? /./ : message);
}

/** Writes the same text repeatedly until the connection ends. */
function repeat(socket: Socket, text: string, before: string): void {
  socket.write(before);
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}

function target(baseUrl: string): Target {
  return { baseUrl, apiKey: 'test-exchange', send: fetch, timeout };
}
