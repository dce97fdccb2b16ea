import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import { turnEnd } from './listener.ts';
import { serve } from './node.ts';

test('all that waits in one turn of the event loop goes on together in the next', async () => {
  const events: string[] = [];
  const respond = async (name: string): Promise<void> => {
    await turnEnd();
    events.push(name);
  };
  const first = Promise.all([respond('one'), respond('two')]);
  await Promise.resolve().then(() => events.push('still the same turn'));
  await first;
  await respond('three');
  expect(events).toEqual(['still the same turn', 'one', 'two', 'three']);
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
