import { expect, test } from 'vitest';
import { testRequest } from '../http/request.test-support.ts';
import { createMock } from '../mock.ts';
import { journalLength } from './journal.ts';

const wrongKey = (number: number): string => `wrong-${number}-`.padEnd(8 * 1024, 'key');

test('the journal of many requests with long wrong keys is read quickly, and shows no key', async () => {
  const mock = createMock();
  for (let number = 0; number < 2 * journalLength; number++) {
    const key = wrongKey(number);
    await mock.fetch(testRequest(`GET /api/stream?key=${key}`, { authorization: `Bearer ${key}` }));
  }
  const world = await mock.world('test-demo');
  // The slower readings only show how busy the machine is.
  const readings = Array.from({ length: 5 }, () => {
    const start = performance.now();
    const requests = world.requests();
    return { requests, milliseconds: performance.now() - start };
  });
  expect(Math.min(...readings.map(({ milliseconds }) => milliseconds))).toBeLessThan(100);
  const [{ requests } = { requests: [] }] = readings;
  expect(requests).toHaveLength(journalLength);
  expect(JSON.stringify(requests)).not.toContain('wrong-');
});

test('many given keys slow down neither wrong keys nor the journal', async () => {
  const apiKeys = Array.from({ length: 1000 }, (_, number) => `team-key-${number}`);
  const mock = createMock({ apiKeys, world: 'empty' });
  const request = (key: string) =>
    testRequest(`GET /api/stream?key=%41&own=${key}`, { authorization: `Bearer ${key}` });
  await mock.fetch(request('wrong-key'));
  const start = performance.now();
  for (let number = 0; number < 200; number++) await mock.fetch(request(`wrong-${number}`));
  for (const key of apiKeys.slice(0, 200)) await mock.fetch(request(key));
  const worlds = await mock.worlds();
  const text = JSON.stringify(worlds.flatMap((world) => world.requests()));
  expect(performance.now() - start).toBeLessThan(3000);
  expect(text.match(/own=\[API key\]"/g)).toHaveLength(401);
});

test('the journal of a world with a long key hides it', async () => {
  const key = 'y'.repeat(8 * 1024);
  const mock = createMock({ apiKeys: [key] });
  await mock.fetch(testRequest(`GET /api/stream?key=${key}`, { authorization: `Bearer ${key}` }));
  const [exchange] = (await mock.world(key)).requests();
  expect(exchange?.request.url).toMatch(/\?key=\[API key\]$/);
});

test('the journal shows none of the keys that are sent in several headers', async () => {
  const mock = createMock();
  const request = testRequest('GET /api/stream?keys=wrong-one,test-two', {
    authorization: 'Bearer wrong-one',
  });
  request.headers.append('authorization', 'Bearer test-two');
  await mock.fetch(request);
  const [exchange] = (await mock.world()).requests();
  expect(exchange?.request.url).toBe('http://livestream.test/api/stream?keys=[API key],[API key]');
});
