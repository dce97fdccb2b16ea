import { describe, expect, test } from 'vitest';
import type { Send } from '../../conformance/target/exchange.ts';
import { against, showsDeleted } from './against.test-support.ts';
import { compare } from './compare.ts';
import { comparisonStatus, neverAnswered } from './comparison.ts';
import { renderComparison } from './report.ts';

describe('what is no difference:', () => {
  test('a service that does not agree with itself', async () => {
    let requests = 0;
    const alternate =
      (send: Send): Send =>
      async (request) => {
        const response = await send(request);
        const isOdd = request.method === 'DELETE' && Math.sin((requests++) ** 2) > 0.6;
        return isOdd ? new Response(null, { status: 202 }) : response;
      };
    const comparison = await compare({ ...against(alternate), operations: 600 });
    expect(comparison.unsteady).toBeGreaterThan(0);
    expect(comparisonStatus(comparison)).toBe(2);
  });

  test('requests without a response', async () => {
    let requests = 0;
    let creations = 0;
    const breakOff =
      (send: Send): Send =>
      async (request) => {
        const isCreation = request.method === 'POST' && request.url.endsWith('/stream');
        if (isCreation) creations += 1;
        requests += 1;
        const isBroken = requests % 40 === 0 || (isCreation && creations === 9);
        if (isBroken) throw new TypeError('closed');
        return send(request);
      };
    const comparison = await compare({ ...against(breakOff), operations: 300 });
    expect(comparison.differences).toEqual([]);
    expect(comparison.unanswered).toBeGreaterThan(0);
    expect(new Set(comparison.leftBehind)).toEqual(
      new Set(['perhaps streams, as a creation had no response that could be read']),
    );
  });
});

test('a difference is not unsteady because the service did not respond when asked again', async () => {
  let deleted = false;
  const breakOffNext =
    (send: Send): Send =>
    (request) => {
      if (deleted && request.method === 'POST') return Promise.reject(new TypeError('closed'));
      deleted ||= request.method === 'DELETE' && /api.stream./.test(request.url);
      return send(request);
    };
  const service = against((send) => breakOffNext(showsDeleted(send)));
  const comparison = await compare({ ...service, operations: 30 });
  expect(comparison).toMatchObject({ differences: [], unsteady: 0 });
});

test('an operation that never has a response leaves the verdict open', async () => {
  const silent =
    (send: Send): Send =>
    (request) =>
      request.method === 'PATCH' ? Promise.reject(new TypeError('closed')) : send(request);
  const comparison = await compare({ ...against(silent), operations: 300 });
  expect(comparison.differences).toEqual([]);
  expect(neverAnswered(comparison).toSorted()).toEqual(['setRecord', 'updateStream']);
  expect(comparisonStatus(comparison)).toBe(2);
  expect(renderComparison(comparison, { colours: false, width: 500 })).toMatch(
    /No request had a usable response: (setRecord, updateStream|updateStream, setRecord)\.\n$/,
  );
});

test('a service that no longer responds is given up, and too little is known', async () => {
  let requests = 0;
  const die =
    (send: Send): Send =>
    (request) =>
      ++requests > 500 ? Promise.reject(new TypeError('closed')) : send(request);
  const comparison = await compare(against(die));
  expect(comparison).toMatchObject({ differences: [], end: 'a side no longer responded' });
  expect(comparisonStatus(comparison)).toBe(2);
});

test('a report says why no session could be made', async () => {
  const startOnce = (send: Send): Send => {
    let starts = 0;
    return (request) =>
      request.url.endsWith('/start') && ++starts > 1
        ? Promise.resolve(new Response(null, { status: 503 }))
        : send(request);
  };
  const missing = await compare({ ...against(startOnce), operations: 300 });
  expect(missing.unknownReasons.join()).toContain('going live through the control API: POST');
  expect(renderComparison(missing, { colours: false, width: 500 })).toContain(
    'No session could be made: going live through the control API: POST http://service.test/_mock',
  );
});

test('a search that ends as too little is steady says so, and too little is known', async () => {
  let statuses = 0;
  const vary =
    (send: Send): Send =>
    async (request) => {
      const response = await send(request);
      if (response.status !== 404) return response;
      return new Response('', { status: 430 + (statuses++ % 60) });
    };
  const comparison = await compare({ ...against(vary), operations: 3_000 });
  expect(comparison.unsteady).toBeGreaterThanOrEqual(30);
  expect(comparisonStatus(comparison)).toBe(2);
  const text = renderComparison(comparison, { colours: false, width: 500 });
  expect(text).toContain('The search ended: too many differences were unsteady');
  expect(text).toContain('Too little is known: most differences did not appear again.');
}, 60_000);
