import { expect, test } from 'vitest';
import { serveHttp } from '../servers.test-support.ts';
import { startCreations } from '../target/creations.ts';
import { cleanUp } from './clean-up.ts';

const { signal: stop } = new AbortController();

test('of very many sessions a few recordings are looked at, one after the other', async () => {
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
  const left = await cleanUp(target, creations, { stop, hurry: undefined });
  expect(left).toHaveLength(16);
  expect(left.slice(0, 2)).toEqual([
    'session session-0 of stream one',
    `recording ${server.origin}/0/index.m3u8`,
  ]);
  expect(most).toBe(1);
});
