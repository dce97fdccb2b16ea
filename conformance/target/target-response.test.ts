import { describe, expect, test } from 'vitest';
import type { Exchange } from '../model/report.ts';
import { serveHttp, serveRaw } from '../servers.test-support.ts';
import { NoResponse } from './failure.ts';
import { readTarget } from './read-target.ts';
import { callTarget, type Target } from './target.ts';

describe('the suite reads', () => {
  test('only as many bytes as the length says, and the next response correctly', async () => {
    const { origin } = await serveRaw((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\n\r\nmore'),
    );
    for (const _ of [1, 2, 3]) expect((await ask(origin)).text).toBe('{}');
  });

  test('invalid UTF-8 as replacement characters', async () => {
    const { origin } = await serveHttp((_, response) =>
      response.end(Buffer.from([0x22, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x22])),
    );
    expect((await ask(origin)).text).toMatch(/^"\ufffd+\(\ufffd+"$/);
  });

  test('a redirect as a response, without following it', async () => {
    const elsewhere = await serveHttp((_, response) => response.end('followed'));
    const { origin } = await serveHttp((_, response) =>
      response.writeHead(307, { location: elsewhere.origin }).end(),
    );
    expect((await ask(origin)).status).toBe(307);
    expect(elsewhere.received).toEqual([]);
  });

  test('a response of many chunks whole', async () => {
    const text = 'aé👩‍🚀'.repeat(100_000);
    const { origin } = await serveHttp((_, response) => response.end(text));
    expect((await ask(origin)).text).toBe(text);
  });
});

test('a request ends even if the stand-in for fetch never responds', async () => {
  const stuck: Target = { ...target('http://stuck.test'), send: () => new Promise(() => {}) };
  const call = callTarget(stuck, { method: 'GET', path: '/' }, () => {});
  await expect(call).rejects.toThrow(NoResponse);

  const endless = new ReadableStream({ pull: () => new Promise(() => {}) });
  const silent: Target = { ...stuck, send: async () => new Response(endless) };
  const other = callTarget(silent, { method: 'GET', path: '/' }, () => {});
  await expect(other).rejects.toThrow(NoResponse);
});

test('a request is noted with its response, the body cut', async () => {
  const notes: Exchange[] = [];
  const { origin } = await serveHttp((_, response) =>
    response.writeHead(418, { 'x-a': 'b' }).end('a'.repeat(100_000)),
  );
  await callTarget(target(origin), { method: 'GET', path: '/' }, (note) => notes.push(note));
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatchObject({ status: 418, headers: { 'x-a': 'b' } });
  expect(notes[0]?.body).toHaveLength(4_000);
});

function target(baseUrl: string): Target {
  return readTarget({ baseUrl, apiKey: 'test-exchange', timeout: 400 });
}

function ask(origin: string): ReturnType<typeof callTarget> {
  return callTarget(target(origin), { method: 'GET', path: '/' }, () => {});
}
