import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { serveHostile } from '../../tools/hostile-targets.test-support.ts';
import { watchMemory } from '../memory.test-support.ts';
import { serveHttp, serveRaw } from '../servers.test-support.ts';
import { parseBoundedJson } from './bounded-json.ts';
import { callTarget } from './call.ts';
import type { Evidence } from './evidence.ts';
import { CheckFailure, NoResponse } from './failure.ts';
import { readTarget, sendUntil, type Target } from './target.ts';

/** Milliseconds for a target that never completes a response, and for all others. */
const shortTimeout = 300;
const timeout = 20_000;
const start = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const mebibyte = 1024 * 1024;

test.each([
  ['hangs after its headers', NoResponse, /it was not complete within 300 ms/],
  ['drips its body', NoResponse, /not complete within 300 ms/],
  ['closes at once', NoResponse, /the other side closed the connection \(ECONNRESET\)/],
  ['closes after its headers', CheckFailure, /after status 200 the other side closed/],
  ['closes within a chunk', CheckFailure, /after status 200 the other side closed/],
  ['switches protocols', NoResponse, /the connection was closed/],
  ['speaks SMTP', NoResponse, /HPE_INVALID_CONSTANT|Expected HTTP/],
  ['sends malformed chunks', CheckFailure, /chunk size|HPE_INVALID_CHUNK_SIZE/],
  ['floods with headers', NoResponse, /Header overflow/],
  ['sends chunks of one byte', NoResponse, /more than 4194304 bytes|not complete within/],
  ['sends a body without end', NoResponse, /more than 4194304 bytes|not complete within/],
  ['sends a bomb of gzip', NoResponse, /more than 4194304 bytes/],
  ['sends a bomb of Brotli', NoResponse, /content-encoding br is not read: expected none, gzip or/],
  ['packs its body fifty times', NoResponse, /-encoding is not read: expected none, gzip or/],
  ['says that its body is packed', CheckFailure, /after status 201 .*(Z_DATA_ERROR|header check)/],
])(
  'an exchange with a target that %s ends, explains why, and takes little memory',
  async (does, kind, message) => {
    const { origin } = await serveHostile(does);
    const notes: Evidence[] = [];
    const memory = watchMemory();
    // The time limit is short only if it is what ends the exchange.
    const isTimed = message.source.includes('not complete');
    const asked = isTimed ? { ...target(origin), timeout: shortTimeout } : target(origin);
    const exception = await ask(asked, (note) => notes.push(note)).catch(
      (caught: unknown) => caught,
    );
    expect(memory.most()).toBeLessThan(150 * mebibyte);
    expect(exception).toBeInstanceOf(kind);
    expect(String(exception)).toMatch(message);
    expect(String(exception)).toContain(`GET ${origin}/`);
    expect(notes).toHaveLength(1);
    expect(notes[0]?.failure).toMatch(message.source.includes('after status') ? /./ : message);
  },
);

test('an interruption ends the pause that a target asks for', async () => {
  const stop = new AbortController();
  const send = async (): Promise<Response> => {
    setImmediate(() => stop.abort());
    return new Response(null, { status: 429, headers: { 'retry-after': '3600' } });
  };
  const hour = 3_600_000;
  const busy = readTarget({ baseUrl: 'http://a.test', apiKey: 'test-pause', send, timeout: hour });
  await expect(ask(sendUntil(stop.signal, busy))).rejects.toMatchObject({ code: 'STOPPED' });
});

const packers = { gzip: gzipSync, 'X-GZIP': gzipSync, deflate: deflateSync };

test.each(Object.entries(packers))(
  'a body that is compressed with %s is read',
  async (name, pack) => {
    const { origin, received } = await serveHttp((_, response) =>
      response.setHeader('content-encoding', name).end(pack('{"id": 1}')),
    );
    expect(await ask(target(origin))).toMatchObject({ text: '{"id": 1}' });
    expect(received[0]?.headers['accept-encoding']).toBe('identity');
  },
);

test('the responses of a target that closes connections without announcing it are read', async () => {
  const { origin } = await serveRaw((socket) => socket.end(`${start}content-length: 2\r\n\r\n[]`));
  const one = target(origin);
  one.gate.addMadeUp('a');
  for (let count = 0; count < 20; count++) {
    for (const line of ['POST /stream', 'GET /stream', 'DELETE /stream/a']) {
      const [method = '', path = ''] = line.split(' ');
      expect(await callTarget(one, { method, path })).toMatchObject({ text: '[]' });
    }
  }
});

test('a body that breaks off after its reader has stopped does no harm', async () => {
  const uncaught: unknown[] = [];
  const listen = (exception: unknown): void => void uncaught.push(exception);
  process.on('uncaughtException', listen);
  onTestFinished(() => void process.off('uncaughtException', listen));
  const { origin } = await serveRaw((socket) => {
    socket.write(`${start}content-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n`);
    setTimeout(() => socket.end('zz\r\n'), 150);
  });
  const slow = { ...target(origin), timeout: 100 };
  await expect(ask(slow)).rejects.toThrow(/not complete within 100 ms/);
  await sleep(100);
  expect(uncaught).toEqual([]);
});

test('a body is read up to its stated length, and the next response is read correctly', async () => {
  const { origin } = await serveRaw((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nmore'),
  );
  for (const _ of [1, 2, 3]) expect((await ask(target(origin))).text).toBe('{}');
});

test.each([
  ['of invalid UTF-8', Buffer.from('22ffc328eda08022', 'hex'), '"\ufffd\ufffd(\ufffd\ufffd\ufffd"'],
  ['of many chunks', Buffer.from('aé👩‍🚀'.repeat(100_000)), 'aé👩‍🚀'.repeat(100_000)],
])('a body %s is read as text', async (_, bytes, text) => {
  const { origin } = await serveHttp((_request, response) => response.end(bytes));
  expect((await ask(target(origin))).text === text).toBe(true);
});

test('a request ends, and stops reading, even if the replacement for fetch never ends', async () => {
  const stuck = {
    ...target('http://stuck.test'),
    timeout: shortTimeout,
    send: () => new Promise<never>(() => {}),
  };
  await expect(ask(stuck)).rejects.toThrow(NoResponse);

  let isCancelled = false;
  const drips = new ReadableStream({
    pull: (controller) => sleep(20).then(() => controller.enqueue(Buffer.from('a'))),
    cancel: () => {
      isCancelled = true;
    },
  });
  await expect(ask({ ...stuck, send: async () => new Response(drips) })).rejects.toThrow(
    NoResponse,
  );
  await expect.poll(() => isCancelled).toBe(true);
});

test('a request is noted with its response, whose body is cut', async () => {
  const notes: Evidence[] = [];
  const { origin } = await serveHttp((_, response) =>
    response.writeHead(418, { 'x-a': 'b' }).end('a'.repeat(100_000)),
  );
  await ask(target(origin), (note) => notes.push(note));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatchObject({ status: 418, headers: { 'x-a': 'b' } });
  expect(notes[0]?.body).toHaveLength(4_000);
});

test('a body that is not text is noted by its first bytes', async () => {
  const notes: Evidence[] = [];
  const file = Buffer.from('0000001c6674797069736f6d0000020069736f6d69736f32', 'hex');
  const { origin } = await serveHttp((_, response) => response.end(file));
  await ask(target(origin), (note) => notes.push(note));
  expect(notes[0]?.body).toBe(
    '(not text; it begins with the bytes 00 00 00 1c 66 74 79 70 69 73 6f 6d 00 00 02 00)',
  );
});

test('JSON with brackets and commas in its strings is parsed', () => {
  for (const value of [{ a: [1, '[{"\\', null] }, '}'.repeat(1_000), [',,[['.repeat(100_000)], 7]) {
    expect(parseBoundedJson(JSON.stringify(value))).toEqual(value);
  }
});

test('text that is not JSON is a syntax error, rather than too large', () => {
  for (const text of ['', '{', '<p>', ']]]]', '"'.repeat(99)]) {
    expect(() => parseBoundedJson(text)).toThrow(SyntaxError);
  }
});

test('more than 1,024 levels are refused, before any value is built', () => {
  const nest = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(() => parseBoundedJson(nest(1_024))).not.toThrow();
  for (const text of [nest(1_025), '['.repeat(4_000_000), '{"a":'.repeat(800_000)]) {
    expect(() => parseBoundedJson(text)).toThrow('at most 1024 levels');
  }
});

test('more than 150,000 values are refused, before any is built', () => {
  const list = (length: number, element: string) => `[${new Array(length).fill(element)}]`;
  expect(parseBoundedJson(list(74_999, '{}'))).toHaveLength(74_999);
  // With a comma for every 99 lists.
  const nested = list(2_000, '['.repeat(99) + ']'.repeat(99));
  const keys = list(2_000, '{"a":'.repeat(99) + 1 + '}'.repeat(99));
  for (const text of [list(150_000, '{}'), nested, keys]) {
    expect(() => parseBoundedJson(text)).toThrow('at most 150000 values');
  }
});

function target(baseUrl: string): Target {
  return readTarget({ baseUrl, apiKey: 'test-exchange', timeout });
}

function ask(one: Target, note?: (exchange: Evidence) => void) {
  return callTarget(one, { method: 'GET', path: '/' }, note);
}
