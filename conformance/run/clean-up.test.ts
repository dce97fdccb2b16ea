import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { serveHttp } from '../servers.test-support.ts';
import { startCreations } from '../target/creations.ts';
import type { Target } from '../target/target.ts';
import { cleanUp } from './clean-up.ts';

const { signal: stop } = new AbortController();

test('of very many sessions only a few recordings are looked for, one after the other', async () => {
  let underWay = 0;
  let most = 0;
  const server = await serveHttp(({ method, url = '' }, out) => {
    if (method === 'DELETE') return out.writeHead(204).end();
    if (url.endsWith('.m3u8')) {
      underWay += 1;
      most = Math.max(most, underWay);
      return setImmediate(() => {
        underWay -= 1;
        out.end('#EXTM3U');
      });
    }
    const sessions = Array.from({ length: 500 }, (_, index) => ({
      id: `session-${index}`,
      recordingUrl: `${server.origin}/${index}/index.m3u8`,
    }));
    return out.end(JSON.stringify(sessions));
  });
  const creations = { ...startCreations(), streams: ['one'], live: new Set(['one']) };
  const target = { baseUrl: server.origin, apiKey: 'k', timeout: 2_000, send: fetch };
  const remaining = await cleanUp(target, creations, { stop, hurry: undefined });
  expect(remaining).toHaveLength(16);
  expect(remaining.slice(0, 2)).toEqual([
    'session session-0 of stream one',
    `recording ${server.origin}/0/index.m3u8`,
  ]);
  expect(most).toBe(1);
});

test('a deletion is sent again once over a connection that the target closed', async () => {
  const requests: string[] = [];
  const server = await serveHttp(({ url = '', socket }, out) => {
    requests.push(url);
    const isFirst = requests.filter((one) => one === url).length === 1;
    if (url.endsWith('/never') || isFirst) return socket.destroy();
    // What was deleted by the first request is not there any more.
    return out.writeHead(url.endsWith('/two') ? 404 : 204).end();
  });
  const creations = { ...startCreations(), streams: ['one', 'two', 'never'] };
  const target = { baseUrl: server.origin, apiKey: 'k', timeout: 2_000, send: fetch };
  const remaining = await cleanUp(target, creations, { stop, hurry: undefined });
  expect(remaining).toEqual(['stream never']);
  expect(requests.filter((url) => url === '/stream/never')).toHaveLength(2);
});

describe('cleaning up a target that never responds ends', () => {
  const hangs = { baseUrl: 'http://a.test', apiKey: 'k', timeout: 60_000 };
  const target: Target = { ...hangs, send: () => new Promise(() => {}) };
  const creations = { ...startCreations(), streams: ['one'] };

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
