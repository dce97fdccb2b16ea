import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveHttp } from '../servers.test-support.ts';
import { type Creations, createCaller, startCreations } from '../target/creations.ts';
import { readTarget, sendUntil, type TargetOptions } from '../target/read-target.ts';
import type { Target } from '../target/target.ts';
import { cleanUp } from './clean-up.ts';

const { signal: stop } = new AbortController();

/** A target on which a run has created streams. */
function targetWith({ streams }: Creations, options: Omit<TargetOptions, 'apiKey'>): Target {
  const target = readTarget({ apiKey: 'k', ...options });
  target.gate.admit({ method: 'POST', url: `${target.baseUrl}/stream` });
  for (const id of streams) target.gate.adopt(id);
  return target;
}

test('sessions behind more pages of others than are read are found at their stream', async () => {
  const { origin } = await serveHttp(({ url }, out) => {
    if (url?.startsWith('/stream/one/sessions')) {
      return out.end(JSON.stringify([{ id: 'session-of-one', parentId: 'one' }]));
    }
    out.setHeader('x-next-cursor', crypto.randomUUID());
    return out.end(JSON.stringify([{ id: 'session-of-another', parentId: 'another' }]));
  });
  const creations = { ...startCreations(), streams: ['one'], live: new Set(['one']) };
  const target = targetWith(creations, { baseUrl: origin, timeout: 2_000 });
  expect(await cleanUp(target, creations, { stop, hurry: undefined })).toEqual([
    'session session-of-one of stream one',
  ]);
});

test.each([
  ['a page of HTML', '<!doctype html><title>App</title>'],
  ['an object', '{"data":[]}'],
  ['an empty body', ''],
])('sessions are found at their stream if the list of all is %s', async (_, body) => {
  const { origin } = await serveHttp(({ url }, out) => {
    const ofStream = JSON.stringify([{ id: 'session-of-one', parentId: 'one' }]);
    return out.end(url?.startsWith('/stream/one/sessions') ? ofStream : body);
  });
  const creations = { ...startCreations(), streams: ['one'], live: new Set(['one']) };
  const target = targetWith(creations, { baseUrl: origin, timeout: 2_000 });
  expect(await cleanUp(target, creations, { stop, hurry: undefined })).toEqual([
    'session session-of-one of stream one',
  ]);
});

test('a creation without a response that could be read is told', async () => {
  const { origin } = await serveHttp(({ socket }) => void socket.destroy());
  const creations = startCreations();
  const target = targetWith(creations, { baseUrl: origin, timeout: 2_000 });
  const call = createCaller(target, creations, () => {});
  await expect(call({ method: 'POST', path: '/stream' })).rejects.toThrow('closed the connection');
  expect(await cleanUp(target, creations, { stop, hurry: undefined })).toEqual([
    'perhaps streams, as a creation had no response that could be read',
  ]);
});

test.each([
  ['is too long', 'a'.repeat(1_025)],
  ['is empty', ''],
  ['begins with a slash', '/a'],
])('a stream whose id %s is told', async (_, id) => {
  const { origin } = await serveHttp((_request, out) =>
    out.writeHead(201).end(JSON.stringify({ id })),
  );
  const creations = startCreations();
  const target = targetWith(creations, { baseUrl: origin, timeout: 2_000 });
  const call = createCaller(target, creations, () => {});
  await call({ method: 'POST', path: '/stream' }).catch((error: Error) => {
    expect(error.message).toContain('and that fits into a path');
  });
  expect(await cleanUp(target, creations, { stop, hurry: undefined })).toEqual([
    'perhaps streams, as a creation gave no new id that fits into a path',
  ]);
});

test('a request that was not sent has created nothing', async () => {
  const creations = startCreations();
  const target = targetWith(creations, { baseUrl: 'http://127.0.0.1:1', timeout: 2_000 });
  for (const one of [target, sendUntil(AbortSignal.abort(), target)]) {
    const call = createCaller(one, creations, () => {});
    await expect(call({ method: 'POST', path: '/stream' })).rejects.toThrow('expected a response');
  }
  expect(await cleanUp(target, creations, { stop, hurry: undefined })).toEqual([]);
});

describe('cleaning up a target that never responds ends', () => {
  const creations = { ...startCreations(), streams: ['one'] };
  const hangs = { baseUrl: 'http://a.test', timeout: 60_000 };
  const target = targetWith(creations, { ...hangs, send: () => new Promise(() => {}) });

  test.each([
    { when: 'after 30 s', signal: stop, milliseconds: 30_000 },
    { when: '5 s after an interruption', signal: AbortSignal.abort(), milliseconds: 5_000 },
  ])('$when', async ({ signal, milliseconds }) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const ended = vi.fn();
    const cleaned = cleanUp(target, creations, { stop: signal, hurry: undefined });
    void cleaned.then(ended);
    await vi.advanceTimersByTimeAsync(milliseconds - 1);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledWith(['stream one']);
  });

  test('at once, if it is told to hurry', async () => {
    const hurry = AbortSignal.abort();
    expect(await cleanUp(target, creations, { stop, hurry })).toEqual(['stream one']);
  });
});
