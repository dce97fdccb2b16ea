import { expect, test } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { createMock, type Mock } from '../mock.ts';
import { memoryStore } from '../stores/memory-store.test-support.ts';
import { testRequest } from './request.test-support.ts';

async function readMetrics(mock: Mock): Promise<string> {
  const response = await mock.fetch(testRequest('GET /_mock/metrics', { authorization: null }));
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return response.text();
}

/** The values of the metrics by their name and labels, as Prometheus reads them. */
function valuesOf(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => {
      expect(line).toMatch(/^[a-z_]+(\{([a-z]+="[^"\\\n]*",?)+\})? \d+(\.\d+)?(e-\d+)?$/);
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at).replace('livestream_mock_', ''), Number(line.slice(at + 1))];
    }),
  );
}

test('the metrics have what health says', async () => {
  let time = 1_000;
  const mock = createMock({ now: () => time, maxRecords: 50 });
  await (await mock.world()).createStream({ name: 'Harbour camera' });
  time += 1_500;
  expect(valuesOf(await readMetrics(mock))).toMatchObject({
    [`info{version="${version}"}`]: 1,
    up: 1,
    uptime_seconds: 1.5,
    worlds: 1,
    worlds_max: 1000,
    records: 1,
    records_max: 50,
  });
});

test('every metric has its meaning and its type before it', async () => {
  const mock = createMock();
  await mock.fetch(testRequest('GET /api/stream'));
  const families = (await readMetrics(mock)).match(/^# (HELP|TYPE) \S+/gm) ?? [];
  const names = families.map((line) => line.split(' ')[2]);
  expect(families.map((line) => line.split(' ')[1])).toEqual(
    names.map((_, at) => (at % 2 ? 'TYPE' : 'HELP')),
  );
  expect(new Set(names).size).toBe(names.length / 2);
});

test('requests are counted by operation and status, with the time that they took', async () => {
  const mock = createMock();
  const stream = { body: '{"name": "Harbour camera"}' };
  await mock.fetch(testRequest('POST /api/stream', stream));
  await mock.fetch(testRequest('POST /api/stream', stream));
  await mock.fetch(testRequest('POST /api/stream', { body: '{}' }));
  await mock.fetch(testRequest('GET /nowhere'));
  await mock.fetch(testRequest('GET /_mock/clock'));
  const values = valuesOf(await readMetrics(mock));
  const count = (labels: string) => values[`request_seconds_count{${labels}}`];
  expect(count('operation="createStream",status="201"')).toBe(2);
  expect(count('operation="createStream",status="422"')).toBe(1);
  expect(count('operation="none",status="404"')).toBe(1);
  expect(count('operation="readClock",status="200"')).toBe(1);
  const seconds = values['request_seconds_sum{operation="createStream",status="201"}'];
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThan(10);
});

test('a variant counts each request once', async () => {
  const mock = createMock({ variant: 'oldest-first' });
  await mock.fetch(testRequest('GET /api/stream'));
  const values = valuesOf(await readMetrics(mock));
  expect(values['request_seconds_count{operation="listStreams",status="200"}']).toBe(1);
});

test('while the store cannot be used, the metrics still come, and say so', async () => {
  const ping = () => Promise.reject(new Error('away'));
  const mock = createMock({ store: { ...memoryStore(), ping } });
  expect(valuesOf(await readMetrics(mock))['up']).toBe(0);
});
