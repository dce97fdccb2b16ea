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

const rawTargets: [what: string, ending: Ending, respond: (socket: Socket) => void][] = [
  ['accepts and never responds', [NoResponse, /not complete within 1000 ms/], () => {}],
  [
    'begins its headers and hangs',
    [NoResponse, /not complete within 1000 ms/],
    (socket) => socket.write(start),
  ],
  [
    'sends headers and hangs',
    [NoResponse, /it was not complete within 1000 ms/],
    (socket) => socket.write(`${start}content-length: 10\r\n\r\n`),
  ],
  [
    'sends headers without end, slowly',
    [NoResponse, /not complete within 1000 ms/],
    (socket) => repeat(socket, 'x-drip: a\r\n', start),
  ],
  [
    'sends its body slowly',
    [NoResponse, /not complete within 1000 ms/],
    (socket) => repeat(socket, 'a', `${start}content-length: 100000\r\n\r\n`),
  ],
  ['closes at once', [NoResponse, /other side closed \(UND_ERR_SOCKET\)/], (s) => s.end()],
  [
    'breaks the connection at once',
    [NoResponse, /ECONNRESET/],
    (socket) => socket.resetAndDestroy(),
  ],
  [
    'closes after its headers',
    [CheckFailure, /after status 200 other side closed/],
    (socket) => socket.end(`${start}content-length: 10\r\n\r\n`),
  ],
  [
    'closes within its body',
    [CheckFailure, /after status 200 other side closed/],
    (socket) => socket.end(`${start}content-length: 10\r\n\r\n{"id"`),
  ],
  [
    'closes within a chunk',
    [CheckFailure, /after status 200 (other side closed|terminated)/],
    (socket) => socket.end(`${start}transfer-encoding: chunked\r\n\r\n10\r\n{"id"`),
  ],
  [
    'speaks no HTTP',
    [NoResponse, /HPE_INVALID_CONSTANT|Expected HTTP/],
    (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
  ],
  [
    'sends two lengths',
    [NoResponse, /Content-Length|HPE_UNEXPECTED_CONTENT_LENGTH/],
    (socket) => socket.end(`${start}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  ],
  [
    'sends a malformed chunk',
    [CheckFailure, /chunk size|HPE_INVALID_CHUNK_SIZE/],
    (socket) => socket.end(`${start}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  ],
  [
    'floods with headers',
    [NoResponse, /Headers Overflow Error/],
    (socket) => {
      socket.write(start);
      writeForever(socket, 'x-flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n'.repeat(1000));
    },
  ],
  [
    'floods with chunks of one byte',
    [NoResponse, /more than 4194304 bytes|not complete within/],
    (socket) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\n`);
      writeForever(socket, '1\r\na\r\n'.repeat(20_000));
    },
  ],
  [
    'sends a body without end',
    [NoResponse, /more than 4194304 bytes|not complete within/],
    (socket) => {
      socket.write(`${start}connection: close\r\n\r\n`);
      writeForever(socket, Buffer.alloc(megabyte, 'a'));
    },
  ],
];

const httpTargets: [what: string, ending: Ending, respond: RequestListener][] = [
  [
    'sends 10 MB of HTML',
    [NoResponse, /more than 4194304 bytes/],
    (_, response) =>
      response.setHeader('content-type', 'text/html').end(`<p>${'a'.repeat(10 * megabyte)}`),
  ],
  [
    'sends a compressed bomb',
    [NoResponse, /more than 4194304 bytes/],
    (_, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
  ],
  [
    'lies about its compression',
    [CheckFailure, /after status 200 .*(Z_DATA_ERROR|incorrect header check)/],
    (_, response) => response.setHeader('content-encoding', 'gzip').end('{"id": 1}'),
  ],
];

describe('an exchange ends, says why, and takes little memory, if a target', () => {
  test.each(rawTargets)('%s', async (_, ending, respond) => {
    await expectEnding((await serveRaw(respond)).origin, ending);
  });

  test.each(httpTargets)('%s', async (_, ending, respond) => {
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
