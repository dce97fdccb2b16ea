import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import { readRawHeaders } from './listener.ts';
import { serve } from './node.ts';

test('a response is sent after the turn in which it was ready', async () => {
  const events: string[] = [];
  const respondAtOnce = async (): Promise<Response> => {
    setImmediate(() => events.push('over'));
    const response = new Response();
    const status = (): number => events.push('sent') && 200;
    return Object.defineProperty(response, 'status', { get: status });
  };
  const server = await serve({ ...createMock(), fetch: respondAtOnce });
  onTestFinished(() => server.close());
  await fetch(`${server.baseUrl}/stream`);
  expect(events.slice(0, 2)).toEqual(['over', 'sent']);
});

test('a server responds though the timers of its process were replaced', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = await serve(createMock());
  onTestFinished(() => server.close());
  const signal = AbortSignal.timeout(5_000);
  const status = await new Promise((resolve, reject) => {
    get(`${server.origin}/openapi.json`, { signal }, (response) => {
      resolve(response.resume().statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(200);
});

test('a header that is sent twice is read as one, as the platform does', () => {
  const headers = readRawHeaders(['Content-Length', '16', 'X-Twice', 'a', 'x-twice', 'b']);
  expect(headers.get('X-TWICE')).toBe('a, b');
  expect([headers.has('content-length'), headers.has('content-type')]).toEqual([true, false]);
  expect([...headers]).toEqual([
    ['content-length', '16'],
    ['x-twice', 'a, b'],
  ]);
});
