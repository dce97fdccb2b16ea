import { expect, test } from 'vitest';
import type { Evidence } from '../../target/requests/evidence.ts';
import type { Observation } from './probing/prober.ts';
import { renderEvidence } from './render-evidence.ts';

const exchange: Evidence = {
  curl: "curl -i 'http://service.test/stream'",
  status: 200,
  headers: { 'content-type': 'application/json', date: 'Mon', etag: '"a"', connection: 'close' },
  body: '[]',
  duration: 3,
};

function observed(...exchanges: readonly Evidence[]): Observation {
  return { outcome: 'observed', value: 'a', exchanges };
}

function evidenceOf(entries: Readonly<Record<string, Observation>>, leftBehind: string[] = []) {
  return JSON.parse(
    renderEvidence({ observed: new Map(Object.entries(entries)), leftBehind }, ['secret-key-1']),
  );
}

test('exchanges that differ only in how long they took are one, with how often', () => {
  const other = { ...exchange, status: 404 };
  const name = 'errors.listStreams.query:limit:zero';
  const { [name]: entry } = evidenceOf({
    [name]: observed(exchange, { ...exchange, duration: 5 }, other),
  });
  expect(entry.exchanges).toMatchObject([{ status: 200, times: 2 }, { status: 404 }]);
  expect(entry.exchanges[1]).not.toHaveProperty('times');
});

test('an entry decided by the exchanges of an earlier one names that', () => {
  const evidence = evidenceOf({
    'behaviours.sessions.appear': observed(exchange),
    'behaviours.time.ready': observed(exchange),
    'behaviours.time.listed': observed(),
  });
  expect(evidence['behaviours.time.ready']).toMatchObject({
    exchangesOf: 'behaviours.sessions.appear',
  });
  expect(evidence['behaviours.time.ready']).not.toHaveProperty('exchanges');
  expect(evidence['behaviours.time.listed']).toMatchObject({ exchanges: [] });
});

test('of the headers, only those that can decide an entry are there', () => {
  const evidence = evidenceOf({
    'errors.listStreams.key:none': observed(exchange),
    'behaviours.http.etag': observed(exchange),
  });
  const headersOf = (name: string): unknown => evidence[name].exchanges[0].headers;
  expect(headersOf('errors.listStreams.key:none')).toEqual({ 'content-type': 'application/json' });
  expect(headersOf('behaviours.http.etag')).toEqual({
    'content-type': 'application/json',
    etag: '"a"',
  });
});

test('everything that is left on the service is listed, and no key is shown', () => {
  const left = Array.from({ length: 30 }, (_, index) => `session ${index}`);
  const evidence = evidenceOf({}, [...left, 'effects of secret-key-1']);
  expect(evidence.leftOnService).toHaveLength(31);
  expect(JSON.stringify(evidence)).not.toContain('secret-key-1');
});
