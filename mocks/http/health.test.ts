import { expect, test } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { createMock } from '../mock.ts';
import { memoryStore } from '../stores/memory-store.test-support.ts';
import { testRequest } from './request.test-support.ts';

const ask = () => testRequest('GET /_mock/health', { authorization: null });

test('without a store, a mock is healthy, and says how long it runs and how full it is', async () => {
  let time = Date.UTC(2026, 0, 1);
  const mock = createMock({ now: () => time, maxRecords: 50 });
  const world = await mock.world();
  await world.createStream({ name: 'Harbour camera' });
  world.saveSnapshot('one');
  time += 90_500;
  const response = await mock.fetch(ask());
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({
    status: 'ok',
    version,
    uptime: 90.5,
    worlds: { count: 1, max: 1000 },
    records: { count: 2, max: 50 },
    store: 'none',
  });
});

test('a store that does not say whether it can be used counts as reachable', async () => {
  const mock = createMock({ store: memoryStore() });
  expect(await (await mock.fetch(ask())).json()).toMatchObject({ store: 'reachable' });
});

test('while its store cannot be used, a mock is not healthy', async () => {
  let isUp = false;
  const ping = () => (isUp ? Promise.resolve() : Promise.reject(new Error('s3cret address')));
  const mock = createMock({ store: { ...memoryStore(), ping } });
  const refused = await mock.fetch(ask());
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  const text = await refused.text();
  expect(JSON.parse(text)).toMatchObject({ status: 'unavailable', store: 'unreachable' });
  expect(text).not.toContain('s3cret');
  isUp = true;
  expect((await mock.fetch(ask())).status).toBe(200);
});

test('health shows no key and no name of a world, and opens none', async () => {
  const mock = createMock();
  await mock.world('test-somebody');
  const response = await mock.fetch(testRequest('GET /_mock/health'));
  expect(await response.text()).not.toContain('test-');
  expect((await mock.worlds()).length).toBe(1);
});

test('a dialect, a fault and a variant leave health as it is', async () => {
  const faults = [{ effect: 'status', status: 500 }] as const;
  const mock = createMock({ variant: 'oldest-first', faults, prefix: '/' });
  expect((await mock.fetch(ask())).status).toBe(200);
});
