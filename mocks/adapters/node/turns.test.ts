import { get } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createMock } from '../../mock.ts';
import { serve } from './node.ts';
import { createTurns } from './turns.ts';

test('what comes in one turn of the event loop goes on together in the next', async () => {
  const nextTurn = createTurns();
  const events: string[] = [];
  const answer = async (name: string): Promise<void> => {
    await nextTurn();
    events.push(name);
  };
  const first = Promise.all([answer('one'), answer('two')]);
  await Promise.resolve().then(() => events.push('still the same turn'));
  await first;
  await answer('three');
  expect(events).toEqual(['still the same turn', 'one', 'two', 'three']);
});

test('a served mock answers a test that has replaced the timers of its process', async () => {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const server = await serve(createMock());
  onTestFinished(() => server.close());
  const signal = AbortSignal.timeout(5_000);
  const status = await new Promise((resolve, reject) => {
    get(`${server.origin}/openapi.json`, { signal }, (answer) => {
      resolve(answer.resume().statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(200);
});
